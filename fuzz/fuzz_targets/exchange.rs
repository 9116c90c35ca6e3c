#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(target) = epicene_fuzz::target("exchange") {
        (target.run)(bytes);
    }
});
