//! Archives, and the streams before them, as `torch.save` writes them, and as nobody should.

/// A pickle, operation by operation.
#[derive(Clone, Default)]
pub struct Pickle(pub Vec<u8>, Option<&'static [u8]>);

impl Pickle {
    pub fn new() -> Pickle {
        Pickle(vec![0x80, 2], None)
    }

    /// One whose storages have a sixth part, as before the archive.
    pub fn of_stream(sixth: &'static [u8]) -> Pickle {
        Pickle(vec![0x80, 2], Some(sixth))
    }

    pub fn raw(mut self, bytes: impl AsRef<[u8]>) -> Pickle {
        self.0.extend_from_slice(bytes.as_ref());
        self
    }

    pub fn text(self, text: &str) -> Pickle {
        self.raw(b"X")
            .raw((text.len() as u32).to_le_bytes())
            .raw(text)
    }

    pub fn number(self, number: i64) -> Pickle {
        self.raw([0x8a, 8]).raw(number.to_le_bytes())
    }

    pub fn global(self, name: &str) -> Pickle {
        let (module, name) = name.rsplit_once('.').unwrap();
        self.raw(format!("c{module}\n{name}\n"))
    }

    pub fn numbers(self, numbers: &[i64]) -> Pickle {
        let begun = self.raw("(");
        let all = numbers.iter().fold(begun, |all, n| all.number(*n));
        all.raw("t")
    }

    pub fn storage(self, class: &str, key: &str, count: i64) -> Pickle {
        let all = self.raw("(").text("storage").global(class).text(key);
        let sixth = all.1.unwrap_or_default();
        all.text("cpu").number(count).raw(sixth).raw("tQ")
    }

    pub fn tensor(self, view: &View<'_>) -> Pickle {
        self.global("torch._utils._rebuild_tensor_v2")
            .raw("(")
            .storage(view.class, view.key, view.count)
            .number(view.offset)
            .numbers(view.shape)
            .numbers(view.strides)
            .raw([0x89])
            .global("collections.OrderedDict")
            .raw(")RtR")
    }

    /// With the operation that ends it.
    pub fn end(self) -> Vec<u8> {
        self.raw(".").0
    }
}

#[derive(Clone, Copy)]
pub struct View<'a> {
    pub class: &'a str,
    pub key: &'a str,
    pub count: i64,
    pub offset: i64,
    pub shape: &'a [i64],
    pub strides: &'a [i64],
}

/// Six floats as two rows of three.
pub const SIX: View<'static> = View {
    class: "torch.FloatStorage",
    key: "0",
    count: 6,
    offset: 0,
    shape: &[2, 3],
    strides: &[3, 1],
};

/// A state dict with these tensors.
pub fn state(tensors: &[(&str, View<'_>)]) -> Vec<u8> {
    state_behind(Pickle::new(), tensors)
}

/// As `state`, of a stream.
pub fn stream_state(tensors: &[(&str, View<'_>)]) -> Vec<u8> {
    state_behind(Pickle::of_stream(b"N"), tensors)
}

pub fn state_behind(begun: Pickle, tensors: &[(&str, View<'_>)]) -> Vec<u8> {
    let begun = begun.raw("}(");
    let all = tensors
        .iter()
        .fold(begun, |all, (name, view)| all.text(name).tensor(view));
    all.raw("u").end()
}

/// Six floats.
pub fn six() -> Vec<u8> {
    (1..=6).flat_map(|n| (n as f32).to_le_bytes()).collect()
}

/// The archive of a pickle with one storage of six floats.
pub fn with_six(pickle: Vec<u8>) -> Vec<u8> {
    archive(&[("x/data.pkl", pickle), ("x/data/0", six())])
}

/// How a stream begins: magic number, version of the format, the machine.
pub const BEGIN: &[u8] = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}(X\r\0\0\0little_endian\x88u.";

/// The format before PyTorch 1.6: a state dict, the keys of its storages, and of each the count that the file says, and bytes.
pub fn stream(pickle: Vec<u8>, keys: &[&str], storages: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let begun = Pickle::new().raw("](");
    let keys = keys.iter().fold(begun, |all, key| all.text(key));
    let mut out = [BEGIN, &pickle, &keys.raw("e").end()].concat();
    for (count, bytes) in storages {
        out.extend(count.to_le_bytes());
        out.extend(bytes);
    }
    out
}

/// A stream with one storage of six floats.
pub fn stream_with_six(pickle: Vec<u8>) -> Vec<u8> {
    stream(pickle, &["0"], &[(6, six())])
}

/// How an archive may be wrong.
#[derive(Clone, Copy, Default)]
pub struct Wrong {
    pub method: u16,
    pub flags: u16,
    /// Added to what the table of contents says of the second entry's size, or of its place.
    pub size: i64,
    pub header: i64,
    /// Added to the count of entries.
    pub count: i64,
}

/// Entries one after the other, then the table of contents.
pub fn archive(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    archive_with(entries, Wrong::default())
}

pub fn archive_with(entries: &[(&str, Vec<u8>)], wrong: Wrong) -> Vec<u8> {
    let mut out = Vec::new();
    let mut table = Vec::new();
    for (number, (name, bytes)) in entries.iter().enumerate() {
        let wrong = if number == 1 { wrong } else { Wrong::default() };
        let header = out.len() as i64 + wrong.header;
        let common = |size: i64| {
            let mut fields = Vec::new();
            fields.extend(wrong.flags.to_le_bytes());
            fields.extend(wrong.method.to_le_bytes());
            fields.extend([0; 8]);
            fields.extend((size as u32).to_le_bytes());
            fields.extend((size as u32).to_le_bytes());
            fields.extend((name.len() as u16).to_le_bytes());
            fields.extend([0; 2]);
            fields
        };
        out.extend(b"PK\x03\x04\0\0");
        out.extend(common(bytes.len() as i64));
        out.extend(name.as_bytes());
        out.extend(bytes);
        table.extend(b"PK\x01\x02\0\0\0\0");
        table.extend(common(bytes.len() as i64 + wrong.size));
        table.extend([0; 10]);
        table.extend((header as u32).to_le_bytes());
        table.extend(name.as_bytes());
    }
    let count = (entries.len() as i64 + wrong.count) as u16;
    let start = out.len() as u32;
    out.extend(&table);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((table.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    out
}
