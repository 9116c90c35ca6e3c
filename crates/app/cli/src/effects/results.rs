//! Options of commands about finished runs, and about what stands for one.

use epicene_bench::Given as Choices;
use epicene_report::Format;
use epicene_report::export::Layout;

use super::{Effects, Family};
use crate::args::{
    AuditPlanArgs, AuditReadArgs, AuditSampleArgs, Checkpoints, CompareArgs, ExportArgs, Paper,
    PlanArgs, ReportArgs, ReproduceArgs, ReproduceFormat,
};
use crate::destination::Destination;

const RUNS: &str = "run directories";

/// Where results go.
impl Effects<Destination> for ReportArgs {
    const FAMILIES: &'static [Family<ReportArgs, Destination>] = &[
        Family {
            options: &[("--title", |args| args.title.is_some())],
            heeded: |_, destination| destination.is_page(),
            belongs_to: || "pages (-o FILE.html)".to_owned(),
        },
        Family {
            options: &[("--style", |args| args.style.is_some())],
            heeded: |args, destination| is_latex(destination) || args.figures.is_some(),
            belongs_to: || "LaTeX (--format latex, -o FILE.tex) and --figures".to_owned(),
        },
        Family {
            options: &[("--tables", |args| args.tables.is_some())],
            heeded: |_, destination| {
                let format = destination.format();
                !matches!(format, None | Some(Format::Json | Format::Csv))
            },
            belongs_to: || "tables for people (LaTeX, Markdown, text)".to_owned(),
        },
    ];
}

impl Effects<Destination> for CompareArgs {
    const FAMILIES: &'static [Family<CompareArgs, Destination>] = &[Family {
        options: &[("--style", |args| args.style.is_some())],
        heeded: |_, destination| is_latex(destination),
        belongs_to: || "LaTeX (--format latex, -o FILE.tex)".to_owned(),
    }];
}

/// Options of one layout.
impl Effects for ExportArgs {
    const FAMILIES: &'static [Family<ExportArgs>] = &[
        Family {
            options: &[
                ("--organization", |args| args.organization.is_some()),
                ("--relationship", |args| args.relationship.is_some()),
                ("--raw", |args| args.raw),
            ],
            heeded: |args, ()| args.to == Layout::Eee,
            belongs_to: || "--to eee".to_owned(),
        },
        Family {
            options: &[
                ("--dataset", |args| args.dataset.is_some()),
                ("--task", |args| args.task.is_some()),
            ],
            heeded: |args, ()| args.to == Layout::Hf,
            belongs_to: || "--to hf".to_owned(),
        },
        Family {
            options: &[("--report-url", |args| args.report_url.is_some())],
            heeded: |args, ()| matches!(args.to, Layout::Hf | Layout::ModelIndex),
            belongs_to: || "--to hf and --to model-index".to_owned(),
        },
        Family {
            options: &[("--samples", |args| args.samples)],
            heeded: |args, ()| matches!(args.to, Layout::Eee | Layout::LmEval),
            belongs_to: || "--to eee and --to lm-eval".to_owned(),
        },
        Family {
            options: &[("--source-url", |args| args.source_url.is_some())],
            heeded: |args, ()| matches!(args.to, Layout::Eee | Layout::LmEval),
            belongs_to: || "--to eee and --to lm-eval".to_owned(),
        },
        Family {
            options: &[("--all", |args| args.all)],
            heeded: |args, ()| matches!(args.to, Layout::Eee | Layout::ModelIndex),
            belongs_to: || "--to eee and --to model-index".to_owned(),
        },
    ];
}

impl Effects for ReproduceArgs {
    const FAMILIES: &'static [Family<ReproduceArgs>] = &[
        Family {
            options: &[("--all", |args| args.all)],
            heeded: |args, ()| args.format == ReproduceFormat::Table,
            belongs_to: || "--format table (csv and json have every number)".to_owned(),
        },
        Family {
            options: &[("--models", |args| args.models.is_some())],
            heeded: |args, ()| args.paper == Some(Paper::Mbe),
            belongs_to: || "reproduce mbe".to_owned(),
        },
        Family {
            options: &[("--out", |args| args.out.is_some())],
            heeded: |args, ()| args.models.is_some(),
            belongs_to: || "--models".to_owned(),
        },
        Family {
            options: &[("--yes", |args| args.yes)],
            heeded: |args, ()| args.models == Some(Checkpoints::Hub),
            belongs_to: || "--models hub".to_owned(),
        },
    ];
}

/// What a command says of a benchmark's options.
trait Chooses {
    fn given(&self) -> &Choices;
}

macro_rules! chooses {
    ($($args:ty),*) => {
        $(impl Chooses for $args {
            fn given(&self) -> &Choices {
                &self.choices.given
            }
        })*
    };
}

chooses!(AuditSampleArgs, AuditReadArgs, AuditPlanArgs, PlanArgs);

/// Of commands about a run, or about something that no benchmark judged.
const fn of_benchmarks<A: Chooses>() -> Family<A, bool> {
    Family {
        options: &[
            ("an option of a benchmark", |args: &A| {
                !args.given().values.is_empty()
            }),
            ("--bootstrap", |args: &A| args.given().replicates.is_some()),
        ],
        heeded: |_, is_run| *is_run,
        belongs_to: || RUNS.to_owned(),
    }
}

const fn seeded<A: Chooses>() -> Family<A, bool> {
    Family {
        options: &[("--seed", |args: &A| args.given().seed.is_some())],
        heeded: |_, is_run| *is_run,
        belongs_to: || RUNS.to_owned(),
    }
}

impl Effects<bool> for AuditSampleArgs {
    const FAMILIES: &'static [Family<AuditSampleArgs, bool>] = &[of_benchmarks()];
}

impl Effects<bool> for AuditReadArgs {
    const FAMILIES: &'static [Family<AuditReadArgs, bool>] = &[of_benchmarks(), seeded()];
}

impl Effects<bool> for PlanArgs {
    const FAMILIES: &'static [Family<PlanArgs, bool>] = &[of_benchmarks(), seeded()];
}

impl Effects<bool> for AuditPlanArgs {
    const FAMILIES: &'static [Family<AuditPlanArgs, bool>] = &[
        of_benchmarks(),
        seeded(),
        Family {
            options: &[("a file of labels", |args| !args.files.is_empty())],
            heeded: |args, is_run| !is_run && args.error.is_none(),
            belongs_to: || "JSON lines without --error (a run keeps its labels)".to_owned(),
        },
    ];
}

fn is_latex(destination: &Destination) -> bool {
    destination.format() == Some(Format::Latex)
}
