//! Inputs the parsers take, from the tests' fixtures and by hand.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A fixture of the model crate.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../engine/engine/tests")
        .join(name)
}

fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

fn fixtures(names: &[&str]) -> Vec<Vec<u8>> {
    names
        .iter()
        .filter_map(|name| read(&fixture(name)))
        .collect()
}

fn of(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// With the number of a benchmark in front.
fn for_benchmarks(texts: &[(u8, &str)]) -> Vec<Vec<u8>> {
    texts
        .iter()
        .map(|(benchmark, text)| [&[*benchmark], text.as_bytes()].concat())
        .collect()
}

pub fn packed() -> Vec<Vec<u8>> {
    let text = "sentence,stereotype\nI ran.,1\n".repeat(20);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let _ = gzip.write_all(text.as_bytes());
    let mut zstd = epicene_io::PackedWriter::named(Path::new("x.zst"), Vec::new());
    let _ = zstd.write_all(text.as_bytes());
    vec![
        gzip.finish().unwrap_or_default(),
        zstd.finish().unwrap_or_default(),
        text.into_bytes(),
    ]
}

pub fn texts() -> Vec<Vec<u8>> {
    of(&[
        "Bola som veľmi unavená, ale urobil/a som to.",
        "Я была рада. Я сказал: «Я устала».",
        "Byłam zmęczona; powiedziałem jej: „Jestem lekarką”.",
        "\x1b[31mred\x1b[0m `quoted` \u{202e}text\n",
    ])
}

pub fn headers() -> Vec<Vec<u8>> {
    of(&[
        "120\n",
        "Sun, 06 Nov 1994 08:49:37 GMT\n",
        "Sunday, 06-Nov-94 08:49:37 GMT\n",
        "Sun Nov  6 08:49:37 1994\n",
    ])
}

pub fn log_lines() -> Vec<Vec<u8>> {
    let body = "{\"key\":\"00000000000000000000000000000001\",\"item\":1,\"system\":\"random:5\",\"unit\":\"template:1\",\"scorer\":\"masked-pair\",\"answer\":{\"log10_ratio\":0.25}";
    let sum = epicene_io::digest::line_sum(body.as_bytes());
    of(&[
        &format!("{body},\"sum\":\"{sum}\"}}\n"),
        &format!("{body}}}\n"),
        "{\"key\":\"1\",\"item\":2,\"system\":\"a\",\"unit\":\"lang:sk\",\"scorer\":\"translate\",\"answer\":{\"noted\":{\"answer\":{\"translation\":\"Bola.\"},\"cut\":1}}}\n",
        "{\"key\":\"1\",\"item\":2,\"system\":\"a\",\"unit\":\"u\",\"scorer\":\"aula\",\"answer\":{\"sentence\":{\"likelihood\":-1.5,\"embedding\":[0.5,1e-9]}}}\n",
        "{\"key\":\"1\",\"item\":2,\"system\":\"a\",\"unit\":\"u\",\"scorer\":\"s\",\"answer\":\"missing\"}\n",
    ])
}

pub fn manifests() -> Vec<Vec<u8>> {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/runs-0.1.0");
    ["gest-models", "unambiguous-tokens", "winomt-links"]
        .iter()
        .filter_map(|name| read(&runs.join(name).join("manifest.json")))
        .collect()
}

pub fn data() -> Vec<Vec<u8>> {
    for_benchmarks(&[
        (
            0,
            "sentence,stereotype\n\"I did it, gladly.\",1\nI ran.,16\n",
        ),
        (
            1,
            "translator,language,original,stereotype,male,female\nx,sk,I ran.,1,Bežal som.,Bežala som.\n",
        ),
        (
            2,
            "1 [The developer] argued with the designer because [she] did not like it.\n",
        ),
        (3, ""),
        (
            4,
            "gender\tline\ttext\nf\t1\tThe woman ran.\nm\t2\tThe man ran.\n",
        ),
        (
            5,
            ",sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer,anon_annotators\n0,She cried.,He cried.,stereo,gender,[],a1,[]\n",
        ),
        (
            6,
            "{\"id\":\"1\",\"target\":\"x\",\"bias_type\":\"gender\",\"context\":\"BLANK\",\"stereotype\":\"a\",\"anti-stereotype\":\"b\",\"unrelated\":\"c\"}\n",
        ),
        (
            6,
            "{\"data\":{\"intrasentence\":[{\"id\":\"1\",\"target\":\"x\",\"bias_type\":\"gender\",\"context\":\"BLANK\",\"sentences\":[{\"id\":\"a\",\"sentence\":\"s\",\"gold_label\":\"stereotype\"},{\"id\":\"b\",\"sentence\":\"t\",\"gold_label\":\"anti-stereotype\"},{\"id\":\"c\",\"sentence\":\"u\",\"gold_label\":\"unrelated\"}]}]}}\n",
        ),
        (7, "My sister is a nurse.\tfeature\tnurse\tFem\n"),
        (8, "The clerk argued.\tclerk\targue\tf\n"),
        (
            9,
            "female\t1\tThe developer argued with the designer because she did not like the design.\tdeveloper\n",
        ),
    ])
}

pub fn answers() -> Vec<Vec<u8>> {
    for_benchmarks(&[
        (
            0,
            "m_template-0,m_template-1,m_template-2,m_template-3\n0.5,1,-1,0\n0,0,0,0\n1,1,1,1\n2,2,2,2\n",
        ),
        (
            0,
            "from,to\nI did 0.,Bola.\nI did 1.,Bol.\nI did 2.,x\nI did 3.,\"y, z\"\n",
        ),
        (1, "{\"from\":\"I did 0.\",\"to\":\"Bola.\"}\n"),
        (3, "model,split,male,female\nx,type1-test,0.5,-0.25\n"),
        (4, "id\tm/aula\nx:0\t-1.5\nx:1\t-2\nx:2\t-3\nx:3\t-4\n"),
        (5, "0.5\n1\n2\n3\n"),
        (7, "Masc\nFem\nMasc,Fem\n_\n"),
    ])
}

pub fn inputs() -> Vec<Vec<u8>> {
    for_benchmarks(&[
        (0, "model,split,male,female\nx,type1-test,0.5,-0.25\n"),
        (7, "0-0 1-1 2-3\n\n0-0\n1-0\n"),
        (7, "My sister is\tMoja sestra je\n"),
        (8, "id\tlabel\nx:0\tf\n"),
        (9, "0-0 1-1\n"),
    ])
}

pub fn conllu() -> Vec<Vec<u8>> {
    of(&[
        "# sent_id = 1\n# text = Bola som doma.\n1\tBola\tbyť\tAUX\t_\tGender=Fem|Number=Sing\t3\tcop\t_\t_\n2\tsom\tbyť\tAUX\t_\tPerson=1\t3\taux\t_\t_\n3\tdoma\tdoma\tADV\t_\t_\t0\troot\t_\t_\n\n",
        "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_\n2\tel\tel\tDET\t_\t_\t0\troot\t_\t_\n2.1\tx\tx\tX\t_\t_\t_\t_\t_\t_\n\n",
    ])
}

pub fn links() -> Vec<Vec<u8>> {
    of(&["0-0 1-1 2-3 10-12\n", "\n", "0-0\n1-0 1-1\n"])
}

pub fn parallel() -> Vec<Vec<u8>> {
    of(&[
        "I ran . ||| Bežal som .\nI sat . ||| Sedela som .\n",
        " ||| \na |||\n||| b\n",
    ])
}

pub fn grammars() -> Vec<Vec<u8>> {
    of(&[
        "S -> A B | \"x\"\nA -> \"the\" | \"a\"\nB -> \"nurse\" | \"doctor\" A\n",
        "S -> S\n",
        "S -> \"x\"\n\r \u{fffd}> \"x\"\n",
        "S -> A A A A A A A A\nA -> B B B B\nB -> \"a\" | \"b\"\n",
    ])
}

pub fn gates() -> Vec<Vec<u8>> {
    of(&[
        "low(g_s[all])>1.2",
        "f_s>0.29 and f_m<0.66 or worst(mean(q))>=1e-3",
        "any(abs(delta_g_s[random:1, lang:sk])>0.1 && p_value<0.05)",
        "((((g_s>1))))",
    ])
}

pub fn chat() -> Vec<Vec<u8>> {
    of(&[
        "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"<think>x</think>\\n\\n„Bežal som.“\\n\\nNote\"}}]}",
        "{\"choices\":[{\"message\":{\"refusal\":\"no\",\"content\":null}}]}",
        "{\"error\":{\"message\":\"no such model\"}}",
        "\"Bežal som.\"",
    ])
}

pub fn exchange() -> Vec<Vec<u8>> {
    of(&[
        "{\"id\":\"17/template:3/9f86d081884c7d65\",\"task\":\"next-word\",\"prompt\":\"I\",\"masculine\":\"he\",\"feminine\":\"she\",\"answer\":{\"log10_ratio\":0.5}}",
        "{\"id\":1,\"task\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":3,\"sampling\":{\"temperature\":1}}",
        "{\"task\":\"aula\",\"texts\":[\"a\",\"b\"],\"embedding\":false,\"answer\":[-1.5,null]}",
    ])
}

pub fn completions() -> Vec<Vec<u8>> {
    of(&[
        "{\"choices\":[{\"logprobs\":{\"tokens\":[\"\\\"I\",\" ran\",\".\\\",\",\" he\"],\"token_logprobs\":[null,-1,-2,-0.5]}}]}",
        "{\"choices\":[{\"logprobs\":{\"tokens\":[\"<s>\",\"\\\"I\",\" ran\",\".\\\",\",\" he\"],\"token_logprobs\":[null,-1,-1,-2,-0.5],\"text_offset\":[0,3,5,9,12]}}],\"usage\":{\"prompt_tokens\":5}}",
        "{\"choices\":[{\"prompt_logprobs\":[null,{\"7\":{\"logprob\":-0.5,\"decoded_token\":\"\\\"I ran.\\\",\"}},{\"8\":{\"logprob\":-1,\"decoded_token\":\" he\"}}]}]}",
    ])
}

pub fn vectors() -> Vec<Vec<u8>> {
    let mut seeds = of(&["2 3\nshe 1 2 3\nhe 4 5 6\n", "she 0.5 -1e-3\nhe 1 2\n"]);
    let mut binary = b"2 2\nshe ".to_vec();
    binary.extend(
        [0.5f32, -1.0]
            .iter()
            .flat_map(|number| number.to_le_bytes()),
    );
    binary.extend(b"\nhe ");
    binary.extend([1f32, 2.0].iter().flat_map(|number| number.to_le_bytes()));
    seeds.push(binary);
    let fasttext =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../systems/vectors/tests/fasttext");
    seeds.extend(
        ["tiny.bin", "plain.bin", "quantised.ftz"]
            .iter()
            .filter_map(|name| read(&fasttext.join(name))),
    );
    seeds
}

pub fn safetensors() -> Vec<Vec<u8>> {
    let header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},\"b\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[16,24]},\"__metadata__\":{\"format\":\"pt\"}}";
    let mut small = (header.len() as u64).to_le_bytes().to_vec();
    small.extend_from_slice(header.as_bytes());
    small.extend([0; 24]);
    let mut seeds = vec![small];
    seeds.extend(fixtures(&["checkpoints/bert/model.safetensors"]));
    seeds
}

pub fn pickles() -> Vec<Vec<u8>> {
    use crate::archive::{SIX, View, state};
    let turned = View {
        shape: &[3, 2],
        strides: &[1, 3],
        ..SIX
    };
    let mut seeds = vec![state(&[("a", SIX), ("b", turned)])];
    seeds.extend(fixtures(&[
        "pickled/views/pytorch_model.bin",
        "pickled/views-protocol-4/pytorch_model.bin",
    ]));
    seeds
}

pub fn gguf() -> Vec<Vec<u8>> {
    fixtures(&[
        "gguf/golden/types.gguf",
        "gguf/golden/tiny-llama.gguf",
        "gguf/golden/tiny-qwen2.gguf",
    ])
}

pub fn configs() -> Vec<Vec<u8>> {
    fixtures(&[
        "checkpoints/bert/config.json",
        "checkpoints/llama/config.json",
        "checkpoints/gemma3/config.json",
    ])
}

pub fn tokenizers() -> Vec<Vec<u8>> {
    fixtures(&[
        "checkpoints/bert/tokenizer.json",
        "checkpoints/gpt2/tokenizer.json",
        "checkpoints/xlm-roberta/tokenizer.json",
        "checkpoints/llama/tokenizer.json",
    ])
}

pub fn tokenizer_configs() -> Vec<Vec<u8>> {
    fixtures(&[
        "checkpoints/bert/tokenizer_config.json",
        "checkpoints/bert/special_tokens_map.json",
        "checkpoints/llama/tokenizer_config.json",
    ])
}

pub fn sentencepiece() -> Vec<Vec<u8>> {
    fixtures(&[
        "seq2seq/marian/source.spm",
        "seq2seq/marian/target.spm",
        "seq2seq/nllb/sentencepiece.bpe.model",
    ])
}
