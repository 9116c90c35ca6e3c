//! An allocator that counts, and ends a process that takes more than it may: a size from a file must not
//! become an allocation.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all targets together may hold.
pub const LIMIT: usize = 1 << 30;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

pub struct Counting;

/// The most that was held at once.
pub fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

fn take(size: usize) -> bool {
    let held = HELD.fetch_add(size, Ordering::Relaxed).saturating_add(size);
    PEAK.fetch_max(held, Ordering::Relaxed);
    held <= LIMIT
}

fn give(size: usize) {
    HELD.fetch_sub(size, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator with the layout it came with; a null pointer
// is how an allocator says no.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size) {
            return std::ptr::null_mut();
        }
        give(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
