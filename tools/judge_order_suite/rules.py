"""What instructions do, by their mnemonics and operands: which sets of instructions each belongs to."""

import re

# Mnemonics before the first dot. What none of these lists has is not known, and stays in order with everything.
ARITHMETIC = frozenset(
    """
    IADD IADD3 IMAD IMNMX IABS ISETP ISCADD IDP I2F I2FP I2I I2IP VIADD VIADDMNMX VIMNMX VIMNMX3 VABSDIFF VABSDIFF4
    FADD FADD2 FMUL FMUL2 FFMA FFMA2 FMNMX FMNMX3 FSET FSETP FSEL FCHK FLO FRND FSWZADD F2F F2FP F2I F2IP FHADD FHFMA
    DADD DMUL DFMA DSETP DMNMX HADD2 HMUL2 HFMA2 HSET2 HSETP2 HMNMX2 MUFU LOP3 PLOP3 PSETP SHF SHL SHR LEA PRMT SEL MOV
    MOV32I SGXT BREV BMSK POPC P2R R2P R2UR S2R S2UR CS2R CS2UR LDC LDCU ULDC QSPC LEPC NOP GETLMEMBASE
    QADD4 QMUL4 QFMA4 HMMA IMMA DMMA QMMA BMMA OMMA MOVM SHFL MATCH REDUX CREDUX ELECT VOTE VOTEU
    UMOV UIADD3 UIMAD UISETP ULEA USHF ULOP3 USEL UPRMT UFLO USGXT UP2UR UR2UP UPLOP3 UIMNMX UVIMNMX UBREV UPOPC UI2F
    UI2FP UF2I UF2F UF2FP UFADD UFMUL UFFMA UFSETP UFSEL UFMNMX UIABS UCLEA UVIADD UBMSK
    """.split()
)
FLOW = {"BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET", "EXIT", "KILL", "RTT", "BSYNC"}
SYNCHRONISING = re.compile(
    r"BAR|B2R|R2B|MEMBAR|ERRBAR|CGAERRBAR|FENCE|DEPBAR|LDGDEPBAR|UTMACMDFLUSH|ARRIVES|SYNCS|UCGABAR_\w+|WARPSYNC"
    r"|WARPGROUP|WARPGROUPSET|NANOSLEEP|NANOTRAP|YIELD|BSSY|BREAK|BMOV|BPT|ACQ\w+|PREEXIT|ENDCOLLECTIVE|USETMAXREG"
    r"|UTCBAR|UTCCP|UTCSHIFT|UTCATOMSWS|UVIRTCOUNT|PMTRIG|SETSMEMSIZE|CALL|RET|BSYNC"
)
# Spaces that are read, and spaces that are written.
MEMORY = {
    "LDG": "g/", "LDGMC": "g/", "STG": "/g", "ATOMG": "g/g", "REDG": "g/g", "CCTL": "g/g", "UTMACCTL": "g/g",
    "LD": "gsl/", "ST": "/gsl", "ATOM": "gsl/gsl", "RED": "gsl/gsl", "UBLKCP": "gsl/gsl", "UBLKRED": "gsl/gsl",
    "LDS": "s/", "LDSM": "s/", "STS": "/s", "STSM": "/s", "STAS": "/s", "ATOMS": "s/s", "REDS": "s/s", "REDAS": "s/s",
    "SYNCS": "s/s", "ARRIVES": "s/s", "UTCBAR": "s/s", "UTCATOMSWS": "s/s", "UGETNEXTWORKID": "/s", "MEMSET": "/s",
    "LDL": "l/", "STL": "/l", "CCTLL": "l/l", "LDGSTS": "g/s", "UTMALDG": "g/s", "UTMASTG": "s/g", "UTMAREDG": "sg/g",
    "UBLKPF": "g/", "UTMAPF": "g/", "LDTM": "t/", "STTM": "/t", "UTCCP": "s/t", "UTCSHIFT": "t/t", "UVIRTCOUNT": "t/t",
    "TEX": "x/", "TLD": "x/", "TLD4": "x/", "TXD": "x/", "TXQ": "x/", "TMML": "x/", "SULD": "x/", "SUST": "/x",
    "SUATOM": "x/x", "SURED": "x/x", "SUQUERY": "x/", "CCTLT": "x/x",
}  # fmt: skip
PRODUCT = re.compile(r"[HIQB]GMMA")
TENSOR_PRODUCT = re.compile(r"UTC\w*MMA")
SPACES = {"g": "global memory", "s": "shared memory", "l": "local memory", "t": "tensor memory", "x": "textures"}

OBSERVED = re.compile(
    r"ATOM\w*|RED(G|S|AS)?|CCTL\w*|UTMACCTL|SUATOM|SURED|UBLKRED|UBLKCP|SYNCS|ARRIVES|UTCBAR|UTCATOMSWS"
)
EXCHANGING = re.compile(r"SHFL|VOTEU?|MATCH|C?REDUX|ELECT|LDSM|STSM|MOVM|[HIDQBO]MMA|TEX|TLD4|TXD|LDTM|STTM|[HIQB]GMMA")
CLOCK = re.compile(r"SR_(CLOCK|GLOBALTIMER|PM)")

# Two sets whose members keep their order, and why.
PAIRS = (
    ("unknown", "all", "the effects of one are not known, or depend on its address"),
    ("last", "all", "it may leave the block"),
    ("sync", "sync", "both synchronise"),
    ("sync", "memory", "one synchronises, the other accesses memory"),
    ("observed", "observed", "other threads observe the order of both"),
    ("clock", "clock", "both read clocks"),
    ("clock", "memory", "one reads a clock, the other accesses memory"),
    ("clock", "sync", "one reads a clock, the other synchronises"),
    ("wait", "armed", "one waits for a number of operations, the other arms a scoreboard"),
    ("product", "product", "both are products of a warp group"),
    ("group", "product", "one is a fence or wait of products, the other a product"),
    ("group", "product register", "one is a fence or wait of products, the other accesses their registers"),
    ("together", "exchanging", "one brings threads together, the other exchanges values between them"),
    ("number", "general", "one changes the number of registers, the other accesses registers"),
)


def base(mnemonic):
    return mnemonic.split(".", 1)[0]


def spaces(mnemonic):
    """The letters of the spaces that an instruction reads, and of those that it writes."""
    name = base(mnemonic)
    if PRODUCT.fullmatch(name):
        return "s", ""
    if TENSOR_PRODUCT.fullmatch(name):
        return "st", "t"
    return MEMORY.get(name, "/").split("/")


def is_known(name):
    known = name in FLOW or name in MEMORY or PRODUCT.fullmatch(name) or TENSOR_PRODUCT.fullmatch(name)
    return bool(known or name in ARITHMETIC or SYNCHRONISING.fullmatch(name))


def sets(item, is_last, product_registers):
    """The sets that an instruction belongs to."""
    name, has = base(item.mnemonic), set(item.mnemonic.split("."))
    found = {"all"}
    rules = {
        "unknown": not is_known(name) or name == "LEPC" and "`(" not in item.operands,
        "last": is_last and name in FLOW,
        "sync": SYNCHRONISING.fullmatch(name),
        "memory": any(spaces(item.mnemonic)),
        "observed": OBSERVED.fullmatch(name) or has & {"STRONG", "MMIO"},
        "clock": CLOCK.search(item.operands),
        "wait": name == "DEPBAR",
        "armed": item.write_barrier != 7 or item.read_barrier != 7,
        "product": PRODUCT.fullmatch(name),
        "group": name == "WARPGROUP",
        "product register": not product_registers.isdisjoint((*item.defines, *item.uses)),
        "together": name in ("WARPSYNC", "ENDCOLLECTIVE"),
        "exchanging": EXCHANGING.fullmatch(name),
        "number": name == "USETMAXREG",
        "general": any(file == "R" for file, _ in (*item.defines, *item.uses)),
    }
    found.update(name for name, holds in rules.items() if holds)
    return found
