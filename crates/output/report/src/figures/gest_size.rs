//! g_s against the number of parameters, with the published families behind (GEST, Figure 4). Sizes come
//! as rows of the metric `parameters`; a model without one stands at the right, apart.

use super::axis::Axis;
use super::dots::WIDTH;
use super::grid::grid;
use super::labels::{self, Canvas, Obstacles};
use super::scene::{Anchor, Ink, Pixel, SERIES, SMALL, Scene};
use super::symbol::Symbol;
use super::{Figure, listed};
use crate::chart_data::{Data, Entry};

const HEIGHT: f64 = 478.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = HEIGHT - 54.0;
/// Room at the right for models whose size nobody said.
const UNKNOWN: f64 = 110.0;

struct Model<'a> {
    g_s: Entry<'a>,
    parameters: Option<f64>,
}

/// What models of one family share: the name without what says their size.
fn family(name: &str) -> String {
    const SIZES: [&str; 7] = ["tiny", "small", "base", "medium", "large", "xl", "xxl"];
    let short = name.rsplit('/').next().unwrap_or(name);
    let parts = short.split('-').filter(|part| {
        let lower = part.to_lowercase();
        !SIZES.contains(&lower.as_str()) && size_in_name(&lower).is_none()
    });
    parts.collect::<Vec<_>>().join("-")
}

/// The family whose colour a model has: the letters its name begins with, `pythia`, `gpt`, `Llama`.
fn lineage(name: &str) -> &str {
    let short = name.rsplit('/').next().unwrap_or(name);
    let end = short.find(|c: char| !c.is_alphabetic());
    &short[..end.unwrap_or(short.len())]
}

/// Families of two and more models by the ink of each; few models need no colours. The last ink is that of all others.
fn inks<'a>(ours: &[Model<'a>]) -> Vec<&'a str> {
    let mut families: Vec<(&str, usize)> = Vec::new();
    for model in ours {
        let name = lineage(model.g_s.system);
        match families.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => families.push((name, 1)),
        }
    }
    families.retain(|(_, count)| *count > 1);
    families.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    families.truncate(SERIES - 1);
    if families.len() < 2 {
        families.clear();
    }
    families.into_iter().map(|(name, _)| name).collect()
}

/// A size in the name, as in `pythia-160m` or `Llama-2-7b-hf`.
fn size_in_name(name: &str) -> Option<f64> {
    let lower = name.to_lowercase();
    lower.split(['-', '_', '/', ':', '@']).find_map(|part| {
        let (digits, unit) = match part.strip_suffix('b') {
            Some(digits) => (digits, 1e9),
            None => (part.strip_suffix('m')?, 1e6),
        };
        digits.parse::<f64>().ok().map(|number| number * unit)
    })
}

pub fn draw(data: &Data<'_>) -> Vec<Figure> {
    let sizes: Vec<Entry<'_>> = data.published("parameters").collect();
    let size = |name: &str| {
        let short = name.rsplit('/').next().unwrap_or(name);
        let known = sizes.iter().find(|entry| entry.system == short);
        known
            .map(|entry| entry.value)
            .or_else(|| size_in_name(short))
    };
    let published: Vec<Model<'_>> = data
        .published("g_s")
        .map(|g_s| Model {
            g_s,
            parameters: size(g_s.system),
        })
        .collect();
    let ours: Vec<Model<'_>> = data
        .metric("g_s")
        .filter(|entry| entry.unit == "all" && entry.group == "all")
        .map(|g_s| Model {
            g_s,
            parameters: size(g_s.row.system.as_str()),
        })
        .collect();
    // Without the published models on the same items there is nothing to stand among.
    if ours.is_empty() || published.is_empty() || !data.same_items {
        return Vec::new();
    }
    let named: Vec<String> = ours
        .iter()
        .map(|model| model.g_s.system.to_owned())
        .collect();
    let scene = labels::fit(&named, TOP, (WIDTH - 20.0, BOTTOM), |canvas| {
        scatter(&ours, &published, canvas)
    })
    .expect("a column as high as its names has room for them");
    let listing = ours
        .iter()
        .map(|model| format!("{} {:.3}", model.g_s.system, model.g_s.value));
    vec![Figure {
        name: "gest-size".to_owned(),
        title: "Stereotype rate and model size".to_owned(),
        caption: format!(
            "g_s, mean over templates, against the number of parameters. Grey: {} published models, families \
             joined by lines.",
            published.len()
        ),
        description: format!(
            "Stereotype rate g_s up, parameters across on a logarithmic scale. {}. Behind them {} published models.",
            listed(listing),
            published.len()
        ),
        scene,
    }]
}

fn scatter(ours: &[Model<'_>], published: &[Model<'_>], canvas: Canvas) -> Option<Scene> {
    let apart = ours.iter().any(|model| model.parameters.is_none());
    let right = canvas.right - if apart { UNKNOWN } else { 0.0 };
    let known = ours
        .iter()
        .chain(published)
        .filter_map(|model| model.parameters);
    let across = Axis::over(known, true).on_page(LEFT, right);
    let rates = ours.iter().chain(published);
    let rates = rates.flat_map(|model| [model.g_s.low(), model.g_s.high()]);
    let up = Axis::over(rates.chain([1.0]), false).on_page(canvas.bottom, TOP);
    let mut scene = Scene::new(WIDTH, canvas.bottom + 54.0);
    frame(&mut scene, &across, &up, (canvas, apart));
    let place = |model: &Model<'_>| {
        let x = match model.parameters {
            Some(parameters) => across.at(parameters),
            None => right + UNKNOWN / 2.0,
        };
        (x, up.at(model.g_s.value))
    };
    families(&mut scene, published, &place);
    let coloured = inks(ours);
    let code = |model: &Model<'_>| {
        let own = lineage(model.g_s.system);
        let series = coloured.iter().position(|name| *name == own);
        series.unwrap_or(coloured.len())
    };
    if !coloured.is_empty() {
        let mut names: Vec<&str> = coloured.clone();
        names.extend(
            ours.iter()
                .any(|model| code(model) == coloured.len())
                .then_some("others"),
        );
        let entries: Vec<(Ink, Symbol, String)> = names
            .iter()
            .enumerate()
            .map(|(n, name)| (Ink::Series(n), Symbol::of_series(n), (*name).to_owned()))
            .collect();
        scene.legend((160.0, 18.0), WIDTH - 10.0, &entries);
    }
    for model in ours {
        let (x, y) = place(model);
        let ink = Ink::Series(code(model));
        let (low, high) = (up.at(model.g_s.low()), up.at(model.g_s.high()));
        scene.line(ink, (x, low), (x, high), 1.75);
        let says = format!("{}, g_s: {}", model.g_s.system, model.g_s.number(3));
        scene
            .symbol(ink, Symbol::of_series(code(model)), (x, y), 5.0)
            .says(says, model.g_s.index);
    }
    let mut obstacles = Obstacles::points(ours.iter().chain(published).map(place));
    obstacles.line((LEFT, up.at(1.0)), (canvas.right, up.at(1.0)));
    for model in ours {
        let (x, y) = place(model);
        obstacles.arms(
            (x, y),
            (x, up.at(model.g_s.high()), x, up.at(model.g_s.low())),
        );
    }
    let named: Vec<(Pixel, String)> = ours
        .iter()
        .map(|model| (place(model), model.g_s.system.to_owned()))
        .collect();
    let right = canvas.edge.unwrap_or(WIDTH - 4.0);
    let within = (LEFT, TOP, right, canvas.bottom);
    let placed = labels::place(&named, &obstacles, within, canvas.edge)?;
    labels::draw(&mut scene, &placed, &named);
    Some(scene)
}

/// The published models, members of a family joined from small to large.
fn families(scene: &mut Scene, published: &[Model<'_>], place: &dyn Fn(&Model<'_>) -> (f64, f64)) {
    let mut sorted: Vec<&Model<'_>> = published
        .iter()
        .filter(|m| m.parameters.is_some())
        .collect();
    sorted.sort_by(|a, b| {
        let names = family(a.g_s.system).cmp(&family(b.g_s.system));
        let size = |model: &Model<'_>| model.parameters.unwrap_or(0.0);
        names.then(size(a).total_cmp(&size(b)))
    });
    for pair in sorted.windows(2) {
        if family(pair[0].g_s.system) == family(pair[1].g_s.system) {
            let (from, to) = (place(pair[0]), place(pair[1]));
            scene.line(Ink::Background, from, to, 1.25).faint();
        }
    }
    for model in sorted {
        let says = format!(
            "{} (published): g_s {:.3}",
            model.g_s.system, model.g_s.value
        );
        scene
            .symbol(Ink::Background, Symbol::Circle, place(model), 4.0)
            .says(says, None);
    }
}

fn frame(scene: &mut Scene, across: &Axis, up: &Axis, (canvas, apart): (Canvas, bool)) {
    let Canvas { right, bottom, .. } = canvas;
    grid(scene, (across, 6), (up, 6), right);
    let y = up.at(1.0);
    scene.line(Ink::Ideal, (LEFT, y), (right, y), 1.5);
    let at = (LEFT + 6.0, y - 6.0);
    scene.sized_text(Ink::Text, Anchor::Start, at, "ideal 1", SMALL);
    let at = ((across.from + across.to) / 2.0, bottom + 38.0);
    scene.text(Ink::Text, Anchor::Middle, at, "parameters (logarithmic)");
    scene.text(
        Ink::Text,
        Anchor::Start,
        (14.0, 18.0),
        "g_s (stereotype rate)",
    );
    if apart {
        let x = across.to + UNKNOWN / 2.0;
        let at = (x, bottom + 16.0);
        scene.sized_text(Ink::Muted, Anchor::Middle, at, "size unknown", SMALL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_names_that_have_them() {
        assert_eq!(size_in_name("pythia-160m"), Some(160e6));
        assert_eq!(size_in_name("Llama-2-7b-hf"), Some(7e9));
        assert_eq!(size_in_name("pythia-1.4b"), Some(1.4e9));
        assert_eq!(size_in_name("demo:mlm"), None);
        assert_eq!(size_in_name("bert-base"), None);
        assert_eq!(family("pythia-1.4b"), family("pythia-70m"));
        assert_eq!(family("gpt2"), family("gpt2-xl"));
        assert_ne!(family("Llama-2-7b-hf"), family("Llama-2-7b-chat-hf"));
        assert_eq!(lineage("pythia-1.4b"), lineage("EleutherAI/pythia-70m"));
        assert_eq!(lineage("gpt2-xl"), lineage("gpt2"));
        assert_ne!(lineage("roberta-base"), lineage("xlm-roberta-base"));
    }
}
