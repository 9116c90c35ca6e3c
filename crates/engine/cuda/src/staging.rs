//! What goes up before a step and comes back after it, through memory that the device copies from and to by itself: going up waits for
//! nothing that is queued, and who waits for what comes back waits for that alone, so that others can queue their work behind.

// A piece's memory is written again, or given to somebody else, only after its copy is done.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::Mutex;

use cudarc::driver::{CudaEvent, PinnedHostSlice, result};

use super::CudaError;
use super::device::{Buffer, Device};

/// The most bytes that go through such memory; more waits for the device anyway.
pub const STAGED: usize = 32 << 20;
/// The smallest piece.
const SMALLEST: usize = 64 << 10;

/// Memory for one copy, and the end of the last one.
struct Piece {
    memory: PinnedHostSlice<u8>,
    copied: CudaEvent,
}

/// Pieces that are free.
#[derive(Default)]
pub struct Staging(Mutex<Vec<Piece>>);

impl Staging {
    fn take(&self, device: &Device, bytes: usize) -> Result<Piece, CudaError> {
        device.context.bind_to_thread()?;
        let mut free = self.0.lock().expect("no thread panics while it holds this");
        let fits = |piece: &Piece| piece.memory.len() >= bytes && piece.copied.is_complete();
        if let Some(place) = free.iter().position(fits) {
            return Ok(free.swap_remove(place));
        }
        drop(free);
        let bytes = bytes.next_power_of_two().max(SMALLEST);
        // SAFETY: it is written before it is read: here, or by the device.
        let memory = unsafe { device.context.alloc_pinned_with_flags::<u8>(bytes, 0) }?;
        let copied = device.context.new_event(None)?;
        Ok(Piece { memory, copied })
    }

    fn give_back(&self, piece: Piece) {
        let mut free = self.0.lock().expect("no thread panics while it holds this");
        free.push(piece);
    }
}

/// Bytes on their way from the device.
pub struct Coming<'a> {
    device: &'a Device,
    piece: Option<Piece>,
    bytes: usize,
}

impl fmt::Debug for Coming<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Coming({} bytes)", self.bytes)
    }
}

impl Coming<'_> {
    /// Waits for them, and for nothing that was queued later.
    pub fn wait<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        mut self,
    ) -> Result<Vec<T>, CudaError> {
        let mut values = vec![T::zeroed(); self.bytes / size_of::<T>()];
        let piece = self.piece.as_ref().expect("only waiting takes it");
        piece.copied.synchronize()?;
        let from = &piece.memory.as_slice()?[..size_of_val(values.as_slice())];
        bytemuck::cast_slice_mut::<T, u8>(&mut values).copy_from_slice(from);
        if let Some(piece) = self.piece.take() {
            self.device.staging.give_back(piece);
        }
        Ok(values)
    }
}

/// Nobody waited: the copy may still be on its way, and its event says until when.
impl Drop for Coming<'_> {
    fn drop(&mut self) {
        if let Some(piece) = self.piece.take() {
            self.device.staging.give_back(piece);
        }
    }
}

impl Device {
    /// Queues a copy of bytes into a buffer from its first on.
    pub(super) fn send(&self, buffer: &Buffer, bytes: &[u8]) -> Result<(), CudaError> {
        assert!(
            bytes.len() <= buffer.bytes(),
            "a copy is longer than its buffer"
        );
        let mut piece = self.staging.take(self, bytes.len())?;
        piece.memory.as_mut_slice()?[..bytes.len()].copy_from_slice(bytes);
        // SAFETY: it lies inside the buffer, and the piece is not written before `copied`.
        unsafe {
            let from = &piece.memory.as_slice()?[..bytes.len()];
            result::memcpy_htod_async(buffer.pointer(), from, self.stream.cu_stream())?;
        }
        piece.copied.record(&self.stream)?;
        self.staging.give_back(piece);
        Ok(())
    }

    /// Queues a copy of a buffer's first bytes to this machine.
    pub fn bring(&self, buffer: &Buffer, bytes: usize) -> Result<Coming<'_>, CudaError> {
        assert!(
            bytes <= buffer.bytes(),
            "a copy is longer than what it copies"
        );
        let mut piece = self.staging.take(self, bytes)?;
        // SAFETY: it lies inside both, and the piece is not touched before `copied`.
        unsafe {
            let to = &mut piece.memory.as_mut_slice()?[..bytes];
            result::memcpy_dtoh_async(to, buffer.pointer(), self.stream.cu_stream())?;
        }
        piece.copied.record(&self.stream)?;
        Ok(Coming {
            device: self,
            piece: Some(piece),
            bytes,
        })
    }
}
