//! Weights on their way to the device: several threads read and convert pieces into memory that the device copies from by
//! itself, so that the file, the conversion and the copies go on at the same time.

// Copies are queued from pinned memory; a piece's memory is written again only after its copy is done.
#![allow(unsafe_code)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cudarc::driver::{CudaEvent, PinnedHostSlice, result};

use super::CudaError;
use super::clock::Phase;
use super::device::{Buffer, Device};
use epicene_checkpoint::CheckpointError;

/// Bytes of a piece.
pub const PIECE: usize = 8 << 20;
/// Pieces in the making at once.
const LANES: usize = 8;

/// Memory for one piece, and the end of its last copy.
struct Lane {
    memory: PinnedHostSlice<u8>,
    copied: CudaEvent,
}

/// Memory of pieces that are free.
#[derive(Default)]
pub struct Lanes(Mutex<Vec<Lane>>);

impl Lanes {
    fn take(&self, device: &Device, bytes: usize) -> Result<Lane, CudaError> {
        let mut free = self.0.lock().expect("no thread panics while it holds this");
        let fits = free.iter().position(|lane| lane.memory.len() >= bytes);
        if let Some(place) = fits {
            return Ok(free.swap_remove(place));
        }
        drop(free);
        // SAFETY: it is written before it is copied.
        let memory = unsafe {
            device
                .context
                .alloc_pinned_with_flags::<u8>(bytes.max(PIECE), 0)
        }?;
        let copied = device.context.new_event(None)?;
        Ok(Lane { memory, copied })
    }

    fn give_back(&self, lane: Lane) {
        let mut free = self.0.lock().expect("no thread panics while it holds this");
        free.push(lane);
    }
}

impl Device {
    /// Fills a buffer with pieces (where they begin, their bytes) that `make` writes, in any order.
    pub fn fill(
        &self,
        buffer: &Buffer,
        pieces: &[(usize, usize)],
        make: impl Fn(usize, &mut [u8]) -> Result<(), CheckpointError> + Sync,
    ) -> Result<(), CheckpointError> {
        for (first, bytes) in pieces {
            assert!(
                first + bytes <= buffer.bytes(),
                "a piece lies beyond its buffer"
            );
        }
        let next = AtomicUsize::new(0);
        let work = || -> Result<(), CheckpointError> {
            let largest = pieces.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
            let mut lane = self.lanes.take(self, largest)?;
            let done = loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                let Some((first, bytes)) = pieces.get(piece) else {
                    break Ok(());
                };
                if let Err(error) = self.fill_piece(&mut lane, buffer, *first, *bytes, |memory| {
                    make(piece, memory)
                }) {
                    // The others stop too.
                    next.store(pieces.len(), Ordering::Relaxed);
                    break Err(error);
                }
            };
            self.lanes.give_back(lane);
            done
        };
        match pieces.len().min(LANES) {
            0 => Ok(()),
            1 => work(),
            threads => std::thread::scope(|scope| {
                let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let mut result = Ok(());
                for thread in threads {
                    match thread.join() {
                        Ok(done) => result = result.and(done),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                result
            }),
        }
    }

    fn fill_piece(
        &self,
        lane: &mut Lane,
        buffer: &Buffer,
        first: usize,
        bytes: usize,
        make: impl FnOnce(&mut [u8]) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let queue = |lane: &mut Lane| -> Result<(), CudaError> {
            self.context.bind_to_thread()?;
            let memory = lane.memory.as_slice()?;
            // SAFETY: the piece lies inside the buffer, and its memory is not written before `copied`.
            unsafe {
                let to = buffer.pointer() + first as u64;
                result::memcpy_htod_async(to, &memory[..bytes], self.stream.cu_stream())?;
            }
            lane.copied.record(&self.stream)?;
            Ok(())
        };
        let wait = |lane: &mut Lane| -> Result<(), CudaError> {
            lane.copied.synchronize()?;
            Ok(())
        };
        self.clock.timed(Phase::Waiting, || wait(lane))?;
        self.clock.count(bytes);
        make(&mut lane.memory.as_mut_slice().map_err(CudaError::from)?[..bytes])?;
        queue(lane)?;
        Ok(())
    }
}
