//! One GPU: its memory, its stream of work, its matrix products.

// Kernels and cuBLAS are called through pointers; every call names buffers that outlive it, because
// frees are ordered on the same stream.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use cudarc::cublas::{CudaBlas, sys as blas_sys};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DevicePtrMut,
    LaunchConfig, PushKernelArg, sys,
};
use cudarc::nvrtc::Ptx;

use super::clock::Clock;
use super::staging::{STAGED, Staging};
use super::upload::Lanes;
use super::{CudaError, Dtype};
use epicene_kernels::Precision;

pub(super) fn kernels() -> String {
    epicene_checkpoint::unpack_text(include_bytes!(concat!(env!("OUT_DIR"), "/kernels.ptx.xz")))
}

/// Memory on the device; freed in the order of the stream.
pub struct Buffer {
    slice: CudaSlice<u8>,
    pointer: u64,
}

impl Buffer {
    pub fn pointer(&self) -> u64 {
        self.pointer
    }

    pub fn bytes(&self) -> usize {
        self.slice.len()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.bytes())
    }
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub enum Argument {
    Pointer(u64),
    Int(i32),
    Long(i64),
    Float(f32),
}

impl From<&Buffer> for Argument {
    fn from(buffer: &Buffer) -> Argument {
        Argument::Pointer(buffer.pointer)
    }
}

/// Nothing is the null pointer.
impl From<Option<&Buffer>> for Argument {
    fn from(buffer: Option<&Buffer>) -> Argument {
        Argument::Pointer(buffer.map_or(0, |buffer| buffer.pointer))
    }
}

/// A GPU in use, with one arithmetic.
pub struct Device {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
    /// One product is queued at a time: cuBLAS keeps what it works with in its handle.
    pub(super) blas: Mutex<CudaBlas>,
    module: Arc<CudaModule>,
    pub(super) lanes: Lanes,
    pub(super) staging: Staging,
    pub(super) clock: Clock,
    order: Mutex<()>,
    pub name: String,
    pub dtype: Dtype,
    /// Shared memory one block may ask for.
    pub shared_limit: usize,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({}, {})", self.name, self.dtype)
    }
}

impl Device {
    /// Whether the driver's library is installed; nothing else of CUDA is called before this returns true.
    pub fn driver_present() -> bool {
        // SAFETY: opens libraries by their names and closes them again.
        unsafe { sys::is_culib_present() }
    }

    pub fn open(ordinal: usize, dtype: Dtype) -> Result<Arc<Device>, CudaError> {
        if dtype.precision().is_none() {
            return Err(CudaError::Arithmetic(dtype.name()));
        }
        if !Device::driver_present() {
            return Err(CudaError::NoDriver);
        }
        // SAFETY: as above.
        if !unsafe { blas_sys::is_culib_present() } {
            return Err(CudaError::NoLibrary("cuBLAS"));
        }
        let count = usize::try_from(CudaContext::device_count()?).unwrap_or(0);
        if ordinal >= count {
            return Err(CudaError::NoDevice { ordinal, count });
        }
        let context = CudaContext::new(ordinal)?;
        let name = context.name()?;
        let (major, minor) = context.compute_capability()?;
        if major < 8 {
            return Err(CudaError::TooOld { name, major, minor });
        }
        // SAFETY: all work goes through one stream, which orders it.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream()?;
        keep_freed_memory(&context)?;
        let blas = CudaBlas::new(stream.clone())?;
        let module = context.load_module(Ptx::from_src(kernels()))?;
        let shared_limit = context.attribute(
            sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        )?;
        Ok(Arc::new(Device {
            shared_limit: usize::try_from(shared_limit).unwrap_or(48 << 10),
            context,
            stream,
            blas: Mutex::new(blas),
            module,
            lanes: Lanes::default(),
            staging: Staging::default(),
            clock: Clock::default(),
            order: Mutex::default(),
            name,
            dtype,
        }))
    }

    pub fn precision(&self) -> Precision {
        let precision = self.dtype.precision();
        precision.expect("no device is opened for arithmetic that it has none for")
    }

    /// Who holds this queues a whole step before anybody else does: the first to come is the first to be done.
    pub fn alone(&self) -> MutexGuard<'_, ()> {
        // Nothing is kept under it that a panic could leave half done.
        self.order
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn free_bytes(&self) -> Result<usize, CudaError> {
        Ok(self.context.mem_get_info()?.0)
    }

    /// A kernel by its name; `{name}_{precision}` where it has one for each.
    pub fn kernel(&self, name: &str) -> Result<CudaFunction, CudaError> {
        Ok(self.module.load_function(name)?)
    }

    /// Memory with unspecified contents.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer, CudaError> {
        // SAFETY: callers write the buffer before they read it.
        let slice = unsafe { self.stream.alloc::<u8>(bytes.max(16)) }?;
        let pointer = slice.device_ptr(&self.stream).0;
        Ok(Buffer { slice, pointer })
    }

    pub fn zeros(&self, bytes: usize) -> Result<Buffer, CudaError> {
        let mut buffer = self.allocate(bytes)?;
        self.stream.memset_zeros(&mut buffer.slice)?;
        Ok(buffer)
    }

    pub fn upload<T: bytemuck::NoUninit>(&self, values: &[T]) -> Result<Buffer, CudaError> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let mut buffer = self.allocate(bytes.len())?;
        match bytes.len() {
            0 => {}
            1..=STAGED => self.send(&buffer, bytes)?,
            _ => self.write(&mut buffer, bytes)?,
        }
        Ok(buffer)
    }

    /// Copies bytes into a buffer; the source may be reused when this returns.
    fn write(&self, buffer: &mut Buffer, bytes: &[u8]) -> Result<(), CudaError> {
        let mut part = buffer.slice.slice_mut(0..bytes.len());
        self.stream.memcpy_htod(bytes, &mut part)?;
        let _ = part.device_ptr_mut(&self.stream);
        Ok(())
    }

    /// The first bytes of one buffer into another that has at least as many.
    pub fn copy(&self, from: &Buffer, to: &mut Buffer) -> Result<(), CudaError> {
        let mut part = to.slice.slice_mut(0..from.bytes());
        Ok(self.stream.memcpy_dtod(&from.slice, &mut part)?)
    }

    /// Waits for the work before it and copies a buffer's first numbers back.
    pub fn download<T: bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        &self,
        buffer: &Buffer,
        count: usize,
    ) -> Result<Vec<T>, CudaError> {
        let bytes = count * size_of::<T>();
        if (1..=STAGED).contains(&bytes) {
            return self.bring(buffer, bytes)?.wait();
        }
        let mut values = vec![T::zeroed(); count];
        if bytes > 0 {
            let part = buffer.slice.slice(0..bytes);
            self.stream
                .memcpy_dtoh(&part, bytemuck::cast_slice_mut::<T, u8>(&mut values))?;
        }
        self.stream.synchronize()?;
        Ok(values)
    }

    pub fn synchronize(&self) -> Result<(), CudaError> {
        Ok(self.stream.synchronize()?)
    }

    pub fn launch(
        &self,
        kernel: &CudaFunction,
        grid: (u32, u32),
        block: u32,
        shared: usize,
        arguments: &[Argument],
    ) -> Result<(), CudaError> {
        if grid.0 == 0 || grid.1 == 0 {
            return Ok(());
        }
        let mut builder = self.stream.launch_builder(kernel);
        for argument in arguments {
            match argument {
                Argument::Pointer(value) => builder.arg(value),
                Argument::Int(value) => builder.arg(value),
                Argument::Long(value) => builder.arg(value),
                Argument::Float(value) => builder.arg(value),
            };
        }
        let config = LaunchConfig {
            grid_dim: (grid.0, grid.1, 1),
            block_dim: (block, 1, 1),
            shared_mem_bytes: u32::try_from(shared).expect("shared memory is smaller than 4 GiB"),
        };
        // SAFETY: `operations.rs` gives each kernel the arguments its source names, with buffers of
        // the sizes it reads and writes.
        unsafe { builder.launch(config) }?;
        Ok(())
    }
}

/// Lets the driver keep freed memory for the next layer instead of giving it back at every wait.
fn keep_freed_memory(context: &CudaContext) -> Result<(), CudaError> {
    if !context.has_async_alloc() {
        return Ok(());
    }
    let mut pool: sys::CUmemoryPool = std::ptr::null_mut();
    let mut threshold = u64::MAX;
    // SAFETY: plain queries and settings of the device's own pool.
    unsafe {
        sys::cuDeviceGetDefaultMemPool(&raw mut pool, context.cu_device()).result()?;
        sys::cuMemPoolSetAttribute(
            pool,
            sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
            (&raw mut threshold).cast::<c_void>(),
        )
        .result()?;
    }
    Ok(())
}
