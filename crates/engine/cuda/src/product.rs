//! Matrix products on the device: cuBLAS with f32 sums, sizes checked before it starts.

// cuBLAS is called through pointers into buffers whose sizes are checked here.
#![allow(unsafe_code)]

use std::ffi::c_void;

use cudarc::cublas::{result as blas, sys as blas_sys};

use super::device::{Buffer, Device};
use super::{CudaError, Dtype};
use epicene_kernels::Precision;

/// Rows of numbers in a buffer: from element `first` on, `stride` apart.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a> {
    pub buffer: &'a Buffer,
    pub first: usize,
    pub stride: usize,
    /// Where the next product's rows begin, from this one's, where there are several.
    pub next: usize,
}

impl<'a> Lines<'a> {
    /// Rows one after the other, from row `first` on.
    pub fn of(buffer: &'a Buffer, first: usize, columns: usize) -> Lines<'a> {
        Lines {
            buffer,
            first: first * columns,
            stride: columns,
            next: 0,
        }
    }

    /// Whether `times` matrices of these sizes lie inside.
    fn holds(&self, rows: usize, columns: usize, times: usize, precision: Precision) -> bool {
        let last = self.first + (times - 1) * self.next + (rows - 1) * self.stride + columns;
        columns <= self.stride && last * precision.bytes() <= self.buffer.bytes()
    }

    fn address(&self, precision: Precision) -> u64 {
        self.buffer.pointer() + (self.first * precision.bytes()) as u64
    }
}

/// `out (rows x outputs) = input (rows x inputs) · weights (outputs x inputs) transposed`.
#[derive(Debug, Clone, Copy)]
pub struct Product<'a> {
    pub rows: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: Lines<'a>,
    pub weights: Lines<'a>,
    pub out: Lines<'a>,
    /// The device's, or f32.
    pub out_precision: Precision,
    /// Products of this shape, each `next` further.
    pub times: usize,
}

impl Device {
    pub fn product(&self, product: Product<'_>) -> Result<(), CudaError> {
        let Product {
            rows,
            inputs,
            outputs,
            input,
            weights,
            out,
            out_precision,
            times,
        } = product;
        if rows == 0 || outputs == 0 || inputs == 0 || times == 0 {
            return Ok(());
        }
        let own = self.precision();
        assert!(
            input.holds(rows, inputs, times, own)
                && weights.holds(outputs, inputs, times, own)
                && out.holds(rows, outputs, times, out_precision),
            "{times} products of {rows} x {inputs} with {outputs} rows outgrow their buffers"
        );
        let kind = |precision| match precision {
            Precision::F32 => blas_sys::cudaDataType_t::CUDA_R_32F,
            Precision::F16 => blas_sys::cudaDataType_t::CUDA_R_16F,
            Precision::Bf16 => blas_sys::cudaDataType_t::CUDA_R_16BF,
        };
        let compute = match self.dtype {
            Dtype::Tf32 => blas_sys::cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32,
            _ => blas_sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
        };
        let int = |size: usize| i32::try_from(size).expect("sizes of a matrix fit 32 bits");
        let long = |size: usize| i64::try_from(size).expect("sizes of a buffer fit 63 bits");
        let (one, zero) = (1.0f32, 0.0f32);
        let (alpha, beta) = (
            (&raw const one).cast::<c_void>(),
            (&raw const zero).cast::<c_void>(),
        );
        let [transposed, plain] = [
            blas_sys::cublasOperation_t::CUBLAS_OP_T,
            blas_sys::cublasOperation_t::CUBLAS_OP_N,
        ];
        let algorithm = blas_sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT;
        self.context.bind_to_thread()?;
        // SAFETY: the sizes are those of the buffers; cuBLAS reads one and zero before it returns.
        unsafe {
            let (a, b, c) = (
                weights.address(own) as *const c_void,
                input.address(own) as *const c_void,
                out.address(out_precision) as *mut c_void,
            );
            let (m, n, k) = (int(outputs), int(rows), int(inputs));
            let (lda, ldb, ldc) = (int(weights.stride), int(input.stride), int(out.stride));
            let (narrow, wide) = (kind(own), kind(out_precision));
            let blas = self.blas.lock().expect("cuBLAS does not panic");
            let handle = *blas.handle();
            match times {
                1 => blas::gemm_ex(
                    handle, transposed, plain, m, n, k, alpha, a, narrow, lda, b, narrow, ldb,
                    beta, c, wide, ldc, compute, algorithm,
                ),
                _ => blas::gemm_strided_batched_ex(
                    handle,
                    transposed,
                    plain,
                    m,
                    n,
                    k,
                    alpha,
                    a,
                    narrow,
                    lda,
                    long(weights.next),
                    b,
                    narrow,
                    ldb,
                    long(input.next),
                    beta,
                    c,
                    wide,
                    ldc,
                    long(out.next),
                    int(times),
                    compute,
                    algorithm,
                ),
            }
        }?;
        Ok(())
    }
}
