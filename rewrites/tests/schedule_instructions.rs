//! Every knob of `ori-schedule-instructions` changes the order of a function that is made for it.

use orison_ir::pass::{PassRegistry, run_pipeline};
use orison_ir::{Context, PrintFlags, Source, parse_source, print_to_string};
use orison_ori::knobs::registry;

/// A knob, what else is set with it and without it, and the body of a function.
struct Case {
    setting: &'static str,
    /// Other knobs, and options of the pass.
    with: &'static str,
    options: &'static str,
    body: String,
}

/// A function with arguments of all kinds, a body, and a target.
fn function(body: &str) -> String {
    format!(
        "ori.func @f(%q: !ori.r64, %r: !ori.r64, %x: !ori.r, %y: !ori.r, %z: !ori.r128, %p: !ori.p, \
         %u: !ori.ur, %v: !ori.ur64, %acc: !ori.acc<32>) target \"sm_90a\" {{\n{body}\n}}\n"
    )
}

fn scheduled(body: &str, knobs: &str, options: &str) -> String {
    let mut registry = PassRegistry::default();
    orison_rewrites::passes(&mut registry);
    let knobs = match knobs.trim_matches(',') {
        "" => String::new(),
        knobs => format!("knobs={knobs} "),
    };
    let text = format!("builtin.module(ori.func(ori-schedule-instructions{{{knobs}{options}}}))");
    let pipeline = registry.parse_pipeline(&text);
    let pipeline = pipeline.unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut context = Context::new();
    orison_host::register(&mut context);
    orison_ori::register(&mut context);
    let text = function(body);
    let source = Source {
        name: "test.mlir",
        text: &text,
        first_line: 1,
    };
    let module = parse_source(&mut context, source).unwrap_or_else(|_| {
        let errors = context.diagnostics.take();
        let errors: Vec<_> = errors.iter().map(|one| one.render(&context)).collect();
        panic!("{}", errors.concat())
    });
    let done = run_pipeline(&mut context, &pipeline, module);
    assert!(done.is_ok(), "{:?}", context.diagnostics.take());
    print_to_string(&context, module, &PrintFlags::default())
}

/// A load from global memory and its use, then an operation and the use of `%b`: what takes longer is to be first.
fn behind_load(operation: &str, used: &str) -> String {
    format!(
        "%a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r\n{operation}\n\
         %s = ori.fadd %a, %x : (!ori.r, !ori.r) -> !ori.r\n{used}\nori.ret"
    )
}

const USE: &str = "%t = ori.fadd %b, %x : (!ori.r, !ori.r) -> !ori.r";

/// Two operations of a unit, then one of another unit, which goes between them if they occupy theirs.
fn of_a_unit(operation: &str) -> String {
    let [first, second] = ["%o0", "%o1"].map(|name| operation.replace("%o", name));
    // Integers are computed elsewhere than everything that is asked for, but integers.
    let other = match operation.contains("ori.iadd3") {
        true => "ori.fadd %x, %y : (!ori.r, !ori.r) -> !ori.r",
        false => SUM,
    };
    format!("{first}\n{second}\n%e = {other}\nori.ret")
}

const SUM: &str = "ori.iadd3 %x, %y, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r";

/// Loads that are summed up: all first, so that all are live at once, or one at a time.
fn sums(loads: usize, load: &str, first: bool) -> String {
    let load = |number: usize| {
        let load = load.replace("%l", &format!("%a{number}"));
        load.replace("[%q]", &format!("[%q + {}]", 4 * number)) + "\n"
    };
    let sum = |number: usize| {
        let before = match number {
            0 => "%x".to_owned(),
            _ => format!("%s{}", number - 1),
        };
        format!("%s{number} = ori.fadd %a{number}, {before} : (!ori.r, !ori.r) -> !ori.r\n")
    };
    let (loads, sums): (Vec<_>, Vec<_>) =
        (0..loads).map(|number| (load(number), sum(number))).unzip();
    if first {
        loads.concat() + &sums.concat()
    } else {
        let pairs = loads.into_iter().zip(sums);
        pairs.map(|(load, sum)| load + &sum).collect()
    }
}

/// The same in a loop.
fn in_loop(body: &str) -> String {
    format!(
        "ori.bra ^loop(%x : !ori.r)\n^loop(%i: !ori.r):\n{body}\
         %j = ori.iadd3 %i, %y, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
         %c = ori.isetp <lt, s32, and> %j, %x : (!ori.r, !ori.r) -> !ori.p\n\
         ori.cond_bra %c, ^loop(%j : !ori.r), ^exit : !ori.p\n^exit:\nori.ret"
    )
}

/// Loads first.
fn early(loads: usize) -> String {
    sums(loads, LOAD, true)
}

/// One load at a time.
fn late(loads: usize) -> String {
    sums(loads, LOAD, false)
}

/// A load behind `between` blocks that the first one jumps over.
fn hammock(between: usize, load: &str) -> String {
    let mut body = format!("%d = {SUM}\nori.cond_bra %p, ^b0, ^end : !ori.p\n");
    for number in 0..between {
        let next = match number + 1 == between {
            true => "^end".to_owned(),
            false => format!("^b{}", number + 1),
        };
        body.push_str(&format!(
            "^b{number}:\n%n{number} = {SUM}\nori.bra {next}\n"
        ));
    }
    format!("{body}^end:\n{load}\nori.stg <b32> [%r], %l : (!ori.r64, !ori.r) -> ()\nori.ret")
}

const LOAD: &str = "%l = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r";
const TEXTURE: &str =
    "%l = ori.tld <tex1d, mask = 1, ll> coordinates(%x) handle(%y) : (!ori.r, !ori.r) -> !ori.r";
const PRODUCT: &str = "%o = ori.hmma <m16n8k16, from = f16, accumulator = f32> %z, %q, %z : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128";
const EIGHTH: &str = "%o = ori.hmma <m16n8k8, from = tf32, accumulator = f32> %z, %q, %z : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128";

/// Operations of variable latency that are ready one after another, and others.
fn mixed() -> String {
    let mut body = String::new();
    for number in 0..6 {
        body.push_str(&format!(
            "%s{number} = ori.iadd3 %x, %y, %x : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             %a{number} = ori.ldg <b32> [%q + {}] : (!ori.r64) -> !ori.r\n\
             %t{number} = ori.tex <tex2d, mask = 1, bound = 3, lz> coordinates(%s{number}, %y) : (!ori.r, !ori.r) -> !ori.r\n\
             %f{number} = ori.fadd %a{number}, %t{number} : (!ori.r, !ori.r) -> !ori.r\n\
             %g{number} = ori.fadd %s{number}, %y : (!ori.r, !ori.r) -> !ori.r\n",
            4 * number
        ));
    }
    body + "ori.ret"
}

fn cases() -> Vec<Case> {
    let case = |setting, with, options, body| Case {
        setting,
        with,
        options,
        body,
    };
    let plain = |setting, body| case(setting, "", "", body);
    let unit = |setting, operation: &str| plain(setting, of_a_unit(operation));
    let cold = "ori.cond_bra %p, ^cold, ^end : !ori.p\n^cold:\n".to_owned()
        + &late(12)
        + "ori.bra ^end {ori.pragmas = [\"frequency 0\"]}\n^end:\nori.ret";
    let moves = (0..6)
        .map(|number| format!("%m{number} = ori.mov %u : (!ori.ur) -> !ori.r\n"))
        .collect::<String>()
        + "%a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r\n\
           %s = ori.fadd %a, %x : (!ori.r, !ori.r) -> !ori.r\nori.ret";
    // Each takes two registers from memory and adds their words.
    let mut parts = String::new();
    for number in 0..8 {
        parts.push_str(&format!(
            "%w{number} = ori.ldg <b64> [%q + {}] : (!ori.r64) -> !ori.r64\n\
             %l{number} = ori.extract %w{number}[0] : (!ori.r64) -> !ori.r\n\
             %h{number} = ori.extract %w{number}[1] : (!ori.r64) -> !ori.r\n\
             %s{number} = ori.fadd %l{number}, %h{number} : (!ori.r, !ori.r) -> !ori.r\n",
            8 * number
        ));
    }
    let chains = "%m = ori.mufu <ex2> %x : (!ori.r) -> !ori.r\n\
                  %t = ori.fadd %m, %y : (!ori.r, !ori.r) -> !ori.r\n\
                  %s = ori.fadd %x, %y : (!ori.r, !ori.r) -> !ori.r\n\
                  %n = ori.fadd %t, %s : (!ori.r, !ori.r) -> !ori.r\n\
                  ori.ret"
        .to_owned();
    let behind_functions = (0..3)
        .map(|number| format!("%e{number} = ori.mufu <ex2> %x : (!ori.r) -> !ori.r\n"))
        .collect::<String>()
        + &late(4);
    vec![
        plain("FenceCode=ori.fadd", late(4)),
        plain("FenceInterference=FADD", late(4)),
        case(
            "LivenessCountRegComp=0",
            "LivenessUseHiLo=0,SchedMaxRTarget=12",
            "",
            parts.clone(),
        ),
        case("LivenessUseHiLo=0", "SchedMaxRTarget=12", "", parts),
        plain("PreserveSchedOrder", late(4)),
        plain("PreserveSchedOrderSame=ori.fadd;ori.mufu", chains),
        case(
            "SchedBumpScaleAugmentFactor=0",
            "SchedEstimatedLoopIterations=4:6:6",
            "rules=page",
            in_loop(&late(90)),
        ),
        case(
            "SchedCountLoadsPerTex=16",
            "",
            "rules=page",
            in_loop(&sums(90, TEXTURE, false)),
        ),
        plain("SchedCrossBlock=2", hammock(1, LOAD)),
        plain("SchedCrossBlockInstsToSpeculate=0", hammock(1, LOAD)),
        plain("SchedCrossBlockLimit=0", hammock(1, LOAD)),
        case(
            "SchedCrossBlockSpeculate=1",
            "SchedCrossBlock=1",
            "",
            hammock(1, LOAD),
        ),
        plain("SchedCrossBlockBudget=0", hammock(1, LOAD)),
        plain("SchedCrossBlockTexToSpeculate=0", hammock(1, TEXTURE)),
        plain("SchedDisableAll=1", late(4)),
        case("SchedDynBatchBudget=0", "", "phases=dyn-batch", mixed()),
        case(
            "SchedEstimatedLoopIterations=4:6:6",
            "SchedBumpScaleAugmentFactor=0",
            "rules=page",
            in_loop(&late(90)),
        ),
        case("SchedForceReverseOrder=1", "", "strategy=priority", mixed()),
        plain(
            "SchedAddDepFromGlobalMembarToCB=1",
            "%e = ori.iadd3 %x, %y, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r\n\
             ori.membar <all, gpu>\n%c = ori.ldc <b32, bank = 0> [%x] : (!ori.r) -> !ori.r\n\
             %g = ori.iadd3 %c, %y, %y : (!ori.r, !ori.r, !ori.r) -> !ori.r\nori.ret"
                .to_owned(),
        ),
        case(
            "SchedLDGBatchDelayBias=40",
            "SchedTexBatchTargetSelectRegisterTarget=1",
            "strategy=priority",
            behind_functions,
        ),
        plain(
            "SchedLDSLatency=2000",
            behind_load("%b = ori.lds <b32> [%x] : (!ori.r) -> !ori.r", USE),
        ),
        case(
            "SchedMaxRLiveCarefulSlack=230",
            "",
            "strategy=priority",
            late(12),
        ),
        plain("SchedMaxRLiveOKslack=230", late(12)),
        plain("SchedMaxRLiveOKslackColdBlocks=230", cold),
        plain("SchedMaxRTarget=12", late(12)),
        plain(
            "SchedMemNoAlias",
            "ori.stg <b32> [%r], %x : (!ori.r64, !ori.r) -> ()\n\
             %a = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r\n\
             %s = ori.fadd %a, %a : (!ori.r, !ori.r) -> !ori.r\nori.ret"
                .to_owned(),
        ),
        plain("SchedModelIdentityMove=0", moves),
        case(
            "SchedMultiRefDeltaLive=100",
            "SchedMultiRefMinRefs=1,SchedMaxRTarget=200",
            "",
            late(12),
        ),
        case(
            "SchedMultiRefMinRefs=1",
            "SchedMultiRefDeltaLive=100,SchedMaxRTarget=200",
            "",
            late(12),
        ),
        case("SchedPrefFurthestDep", "", "strategy=priority", mixed()),
        case("SchedReadAvailTarget=0", "", "strategy=priority", mixed()),
        plain(
            "SchedReadLatency=1",
            behind_load("%b = ori.lds <b32> [%x] : (!ori.r) -> !ori.r", USE),
        ),
        plain(
            "SchedReadSbDmmaLatency=2000",
            behind_load(
                "%b = ori.dmma <m8n8k4> %q, %r, %z : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128",
                "%w = ori.extract %b[0] : (!ori.r128) -> !ori.r\n\
                 %t = ori.fadd %w, %x : (!ori.r, !ori.r) -> !ori.r",
            ),
        ),
        plain(
            "SchedReadSbLdgstsLatency=1",
            "%m = ori.mufu <ex2> %x : (!ori.r) -> !ori.r\n\
             ori.ldgsts <b32> [%x], [%r] : (!ori.r, !ori.r64) -> ()\nori.ldgdepbar\n\
             ori.depbar {count = 0 : i32}\n\
             %s = ori.fadd %m, %m : (!ori.r, !ori.r) -> !ori.r\nori.ret"
                .to_owned(),
        ),
        case(
            "SchedReduceIncLimit=12",
            "",
            "phases=reduce-reg",
            in_loop(&early(12)),
        ),
        case(
            "SchedReduceIncLimitHigh=12",
            "",
            "phases=reduce-reg",
            early(12),
        ),
        case(
            "SchedReduceRegBudget=0",
            "SchedReduceIncLimitHigh=12",
            "phases=reduce-reg",
            early(12),
        ),
        unit("SchedResBusyADU=16", "ori.bar <sync, index = 0>"),
        unit("SchedResBusyALU=1", &format!("%o = {SUM}")),
        unit("SchedResBusyCBU=16", "ori.exit_if %p : !ori.p"),
        unit(
            "SchedResBusyDMMA=16",
            "%o = ori.dmma <m8n8k4> %q, %r, %z : (!ori.r64, !ori.r64, !ori.r128) -> !ori.r128",
        ),
        unit(
            "SchedResBusyFMA=16",
            "%o = ori.fmul %x, %y : (!ori.r, !ori.r) -> !ori.r",
        ),
        unit(
            "SchedResBusyFMAWide=16",
            "%o = ori.imad_wide <u32> %x, %y, %q : (!ori.r, !ori.r, !ori.r64) -> !ori.r64",
        ),
        unit(
            "SchedResBusyFP16=16",
            "%o = ori.hadd2 <f16> %x, %y : (!ori.r, !ori.r) -> !ori.r",
        ),
        unit(
            "SchedResBusyFP64=1",
            "%o = ori.dfma %q, %r, %q : (!ori.r64, !ori.r64, !ori.r64) -> !ori.r64",
        ),
        unit(
            "SchedResBusyGMMA=16",
            "%o = ori.wgmma.mma <columns = 64, depth = 16, half, left_format = f16, right_format = f16, accumulator = f32> %v, %v accumulator(%acc) : (!ori.ur64, !ori.ur64, !ori.acc<32>) -> !ori.acc<32>",
        ),
        unit("SchedResBusyHMMA16=16", PRODUCT),
        unit("SchedResBusyHMMA16816=16", PRODUCT),
        unit("SchedResBusyHMMA1688=16", EIGHTH),
        unit(
            "SchedResBusyIMMA=16",
            "%o = ori.imma <m16n8k32, left_format = s8, right_format = s8> %z, %q, %z : (!ori.r128, !ori.r64, !ori.r128) -> !ori.r128",
        ),
        unit(
            "SchedResBusyLSU=1",
            "%o = ori.lds <b32> [%x] : (!ori.r) -> !ori.r",
        ),
        unit(
            "SchedResBusyLSUL1=1",
            "%o = ori.ldg <b32> [%q] : (!ori.r64) -> !ori.r",
        ),
        unit(
            "SchedResBusyOp=FMUL:16",
            "%o = ori.fmul %x, %y : (!ori.r, !ori.r) -> !ori.r",
        ),
        unit(
            "SchedResBusyMachineOpcode=FMUL:16",
            "%o = ori.fmul %x, %y : (!ori.r, !ori.r) -> !ori.r",
        ),
        unit(
            "SchedResBusyUDP=16",
            "%o = ori.uiadd3 %u, %u, %u : (!ori.ur, !ori.ur, !ori.ur) -> !ori.ur",
        ),
        unit(
            "SchedResBusyXU64=1",
            "%o = ori.mufu <ex2> %x : (!ori.r) -> !ori.r",
        ),
        plain(
            "SchedSyncsLatency=400",
            "ori.membar <all, gpu>\n\
             %b = ori.lds <b32> [%x] : (!ori.r) -> !ori.r\n\
             %m = ori.mufu <ex2> %x : (!ori.r) -> !ori.r\n\
             %s = ori.fadd %b, %b : (!ori.r, !ori.r) -> !ori.r\n\
             %n = ori.fadd %m, %m : (!ori.r, !ori.r) -> !ori.r\nori.ret"
                .to_owned(),
        ),
        plain(
            "SchedSyncsPhasechkLatency=2000",
            behind_load(
                "%b = ori.syncs_try_wait [%u + 8], %x : (!ori.ur, !ori.r) -> !ori.p",
                "%t = ori.sel %x, %y, %b : (!ori.r, !ori.r, !ori.p) -> !ori.r",
            ),
        ),
        unit("SchedTex2TexIssueRate=1", &TEXTURE.replace("%l", "%o")),
        case(
            "SchedTexBatchTargetSelectRegisterTarget=1",
            "",
            "strategy=priority",
            mixed(),
        ),
        case(
            "SchedTexBatchTargetTexReadTogether=1",
            "",
            "strategy=priority",
            mixed(),
        ),
        plain(
            "SchedTexLatency=2000",
            behind_load(&TEXTURE.replace("%l", "%b"), USE),
        ),
        plain(
            "ScheduleKILs=0",
            "ori.exit_if %p : !ori.p\n%m = ori.mufu <ex2> %x : (!ori.r) -> !ori.r\n\
             %s = ori.fadd %m, %y : (!ori.r, !ori.r) -> !ori.r\nori.ret"
                .to_owned(),
        ),
        plain(
            "SchedXU64Latency=2000",
            behind_load("%b = ori.mufu <rcp64h> %x : (!ori.r) -> !ori.r", USE),
        ),
    ]
}

#[test]
fn every_knob_changes_an_order() {
    let mut without_effect = Vec::new();
    for Case {
        setting,
        with,
        options,
        body,
    } in cases()
    {
        let body = match body.ends_with("ori.ret") {
            true => body,
            false => body + "ori.ret",
        };
        let default = scheduled(&body, with, options);
        if default == scheduled(&body, &format!("{with},{setting}"), options) {
            without_effect.push(format!("{setting}\n{default}"));
        }
    }
    assert!(without_effect.is_empty(), "{}", without_effect.join("\n"));
}

#[test]
fn every_knob_of_the_scheduler_has_a_case() {
    let cases = cases();
    let has_case = |name: &str| {
        let mut settings = cases.iter().map(|case| case.setting);
        settings.any(|setting| setting.split('=').next() == Some(name))
    };
    let rows = registry().rows().iter();
    let own = rows.filter(|row| {
        let prefixes = ["Sched", "Fence", "Liveness", "PreserveSched"];
        prefixes.iter().any(|prefix| row.name.starts_with(prefix))
    });
    let missing: Vec<&str> = own
        .map(|row| row.name.as_str())
        .filter(|name| !has_case(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
