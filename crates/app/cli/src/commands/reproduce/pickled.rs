//! The sentence sets of the MBE repository: `parallel_data/{ted,news}/LANG_{f,m}.bin`, a pickled list of one tensor of token ids for
//! each sentence. Nothing of the pickle is run: its operations are stepped over, and the bytes of every storage are looked at.

/// The token ids of every sentence.
pub fn sentences(bytes: &[u8]) -> Result<Vec<Vec<i64>>, String> {
    let mut at = 0;
    let mut found = Vec::new();
    let cut = |at: usize| format!("it is cut off at byte {at}");
    let take = |at: &mut usize, count: usize| -> Result<&[u8], String> {
        let end = at.checked_add(count).filter(|end| *end <= bytes.len());
        let end = end.ok_or_else(|| cut(*at))?;
        let taken = &bytes[*at..end];
        *at = end;
        Ok(taken)
    };
    let length = |taken: &[u8]| {
        let mut whole = [0; 8];
        whole[..taken.len()].copy_from_slice(taken);
        usize::try_from(u64::from_le_bytes(whole)).unwrap_or(usize::MAX)
    };
    if !bytes.starts_with(&[0x80]) {
        return Err("it is no pickle".to_owned());
    }
    loop {
        let operation = take(&mut at, 1)?[0];
        match operation {
            b'.' => return Ok(found),
            // Bytes, by the width of their length: the storage of a sentence.
            b'C' | b'B' | 0x8e => {
                let width = match operation {
                    b'C' => 1,
                    b'B' => 4,
                    _ => 8,
                };
                let count = length(take(&mut at, width)?);
                let storage = take(&mut at, count)?;
                found.push(ids(storage).ok_or_else(|| {
                    format!("the bytes before byte {at} are no storage of 64-bit numbers")
                })?);
            }
            // Texts and long numbers, by the width of their length.
            0x8c | 0x8a => {
                let count = length(take(&mut at, 1)?);
                take(&mut at, count)?;
            }
            b'X' => {
                let count = length(take(&mut at, 4)?);
                take(&mut at, count)?;
            }
            // Names on two lines.
            b'c' => {
                for _ in 0..2 {
                    while take(&mut at, 1)?[0] != b'\n' {}
                }
            }
            // Operations with operands of a fixed width.
            0x95 | b'G' => take(&mut at, 8).map(drop)?,
            b'J' | b'j' | b'r' => take(&mut at, 4).map(drop)?,
            b'M' => take(&mut at, 2).map(drop)?,
            0x80 | b'K' | b'h' | b'q' => take(&mut at, 1).map(drop)?,
            // And without: marks, tuples, lists, dictionaries, calls, the memo, constants.
            b'('
            | b')'
            | b']'
            | b'}'
            | b't'
            | b'e'
            | b'a'
            | b'l'
            | b'd'
            | b's'
            | b'u'
            | b'R'
            | b'N'
            | b'0'
            | b'1'
            | b'2'
            | b'b'
            | 0x81
            | 0x85..=0x89
            | 0x93
            | 0x94 => {}
            other => {
                return Err(format!(
                    "byte {}: operation {other:#04x} is not one of a list of tensors",
                    at - 1
                ));
            }
        }
    }
}

/// What `torch.save` wrote of one storage ends with the number of its elements and these; before them a pickle ends.
fn ids(storage: &[u8]) -> Option<Vec<i64>> {
    let word =
        |end: usize| -> Option<[u8; 8]> { storage.get(end.checked_sub(8)?..end)?.try_into().ok() };
    let mut end = storage.len();
    let mut ids = Vec::new();
    while let Some(bytes) = word(end) {
        let begins = u64::from_le_bytes(bytes) == ids.len() as u64;
        let after_pickle = end.checked_sub(9).and_then(|at| storage.get(at)) == Some(&b'.');
        if begins && after_pickle && !ids.is_empty() {
            ids.reverse();
            return Some(ids);
        }
        ids.push(i64::from_le_bytes(bytes));
        end -= 8;
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    /// A storage as `torch.save` writes it before its zip format: pickles, then count and numbers.
    fn storage(ids: &[i64]) -> Vec<u8> {
        let mut bytes = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02]q\x00X\x01\x00\x00\x000a.".to_vec();
        bytes.extend((ids.len() as u64).to_le_bytes());
        ids.iter().for_each(|id| bytes.extend(id.to_le_bytes()));
        bytes
    }

    fn list(sentences: &[&[i64]]) -> Vec<u8> {
        let mut bytes = b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00]\x94(".to_vec();
        for ids in sentences {
            bytes.extend(b"\x8c\x0ctorch._utils\x94\x8c\x12_rebuild_tensor_v2\x94\x93\x94(ctorch.storage\n_load_from_bytes\n");
            let storage = storage(ids);
            bytes.push(b'B');
            bytes.extend((storage.len() as u32).to_le_bytes());
            bytes.extend(&storage);
            bytes.extend(b"\x94\x85\x94R\x94K\x00K\x01K\x05\x86\x94K\x05K\x01\x86\x94\x89h\x00)R\x94t\x94R\x94");
        }
        bytes.extend(b"e.");
        bytes
    }

    #[test]
    fn every_sentence_is_read_and_nothing_is_run() {
        let sentences: [&[i64]; 3] = [&[102, 7, 103], &[2, 2, 3], &[0, 1, 2, 46, 5, 2]];
        let read = super::sentences(&list(&sentences)).unwrap();
        assert_eq!(read, sentences.map(<[i64]>::to_vec));
        assert!(super::sentences(&list(&[])).unwrap().is_empty());
    }

    #[test]
    fn broken_files_are_refused() {
        let whole = list(&[&[102, 7, 103]]);
        for cut in 0..whole.len() {
            assert!(super::sentences(&whole[..cut]).is_err(), "{cut}");
        }
        assert!(
            super::sentences(b"\x80\x04\xff.")
                .unwrap_err()
                .contains("0xff")
        );
        assert!(super::sentences(b"PK").unwrap_err().contains("no pickle"));
        let odd = b"\x80\x04]C\x03abca.";
        assert!(super::sentences(odd).unwrap_err().contains("64-bit"));
    }
}
