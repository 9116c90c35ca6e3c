//! Keys and values of what was read, in slots: a text is a list of slots, and texts that begin alike name the same ones.

use super::CudaError;
use super::device::{Buffer, Device};

/// For each layer a buffer of slots, each as wide as that layer's keys and values.
#[derive(Debug)]
pub struct SlotCache {
    pub(super) layers: Vec<Buffer>,
    /// Bytes of a slot in each layer.
    widths: Vec<usize>,
    slots: usize,
}

impl SlotCache {
    pub fn new(device: &Device, widths: Vec<usize>, slots: usize) -> Result<SlotCache, CudaError> {
        let layers = widths.iter().map(|width| device.allocate(slots * width));
        Ok(SlotCache {
            layers: layers.collect::<Result<_, _>>()?,
            widths,
            slots,
        })
    }

    /// Room for this many slots; what is in the old ones stays.
    pub fn make_room(&mut self, device: &Device, slots: usize) -> Result<(), CudaError> {
        if slots <= self.slots {
            return Ok(());
        }
        let slots = slots.next_power_of_two();
        for (layer, width) in self.layers.iter_mut().zip(&self.widths) {
            let mut larger = device.allocate(slots * width)?;
            device.copy(layer, &mut larger)?;
            *layer = larger;
        }
        self.slots = slots;
        Ok(())
    }
}

/// Which slots are in use, and by how many texts.
#[derive(Debug, Default)]
pub struct Slots {
    users: Vec<u32>,
    free: Vec<u32>,
}

impl Slots {
    /// A slot for one user.
    pub fn take(&mut self) -> u32 {
        match self.free.pop() {
            Some(slot) => {
                self.users[slot as usize] = 1;
                slot
            }
            None => {
                self.users.push(1);
                u32::try_from(self.users.len() - 1).expect("slots fit 32 bits")
            }
        }
    }

    /// One more user of each.
    pub fn share(&mut self, slots: &[u32]) {
        for slot in slots {
            self.users[*slot as usize] += 1;
        }
    }

    /// One user less of each.
    pub fn give_back(&mut self, slots: &[u32]) {
        for slot in slots {
            let users = &mut self.users[*slot as usize];
            *users -= 1;
            if *users == 0 {
                self.free.push(*slot);
            }
        }
    }

    /// How many slots were ever in use at once.
    pub fn used(&self) -> usize {
        self.users.len()
    }
}
