import type { BenchFile } from './probe-files.ts'
import { openBenchPage, type BenchPage } from './probe-browser.ts'
import {
  nativeBytes,
  nativePoster,
  nativeProbe,
  nativeRender,
  nativeStrip,
  RENDERS,
  type NativeProbe,
} from './probe-native.ts'
import type { Timed } from './probe-page/main.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

/**
 * `probe`: the quick check as the app makes it. `deep`: with the times of the deep check.
 * `fallback`: the second reader alone.
 */
const TOOLS = ['probe', 'deep', 'fallback', 'mediainfo', 'memfs'] as const
type Tool = (typeof TOOLS)[number]

export interface Measured {
  readonly file: BenchFile
  /** Milliseconds of each repetition; empty for what a tool cannot do. */
  readonly ms: Readonly<
    Record<
      | Tool
      | 'native'
      | 'poster'
      | 'nativePoster'
      | 'strip'
      | 'nativeStrip'
      | 'preview'
      | 'nativePreview'
      | 'voice'
      | 'nativeVoice'
      | 'coldProbe'
      | 'coldFallback'
      | 'coldMediainfo',
      readonly number[]
    >
  >
  readonly bytes: Readonly<
    Record<'native' | 'probe' | 'fallback' | 'mediainfo' | 'memfs', number | null>
  >
  /**
   * Of all processes of the browser, for one run. Other programs on the machine do not lengthen
   * it.
   */
  readonly processorMs: Readonly<Record<'probe' | 'deep' | 'fallback' | 'mediainfo', number | null>>
  /** Growth of the page's process over the idle page. */
  readonly peakBytes: Readonly<Record<'probe' | 'fallback' | 'mediainfo' | 'memfs', number | null>>
  /** Growth that remains three seconds after `release`. */
  readonly leftBytes: number
  /** Why tools failed. */
  readonly failures: ReadonlyMap<Tool, string>
  /** Fields that the report and ffprobe do not agree on. */
  readonly disagreements: readonly string[]
}

/**
 * Larger files do not fit into memory at all (2 GiB of address space), which one try shows.
 */
const MEMFS_BYTES = 1_000_000_000
/** The system counts in steps of 10 ms. */
const PROCESSOR_RUNS = 5
const RELEASED_AFTER_MS = 3_000
/** New browsers are slow to start. */
const COLD_RUNS = 5
/** A phone's or camera's usual video. */
const RENDERED = 'h264.mp4'
const COLD: ReadonlySet<string> = new Set(['h264.mp4', 'mpeg4.avi', 'uhd-5gb.mp4'])

export async function measureFile(
  origin: string,
  file: BenchFile,
  repetitions: number,
): Promise<Measured> {
  const ms = {
    native: [],
    probe: [],
    deep: [],
    fallback: [],
    mediainfo: [],
    memfs: [],
    poster: [],
    nativePoster: [],
    strip: [],
    nativeStrip: [],
    preview: [],
    nativePreview: [],
    voice: [],
    nativeVoice: [],
    coldProbe: [],
    coldFallback: [],
    coldMediainfo: [],
  } as { [K in keyof Measured['ms']]: number[] }
  const failures = new Map<Tool, string>()
  const bench = await openBenchPage(origin)
  try {
    await bench.choose(file.path)
    const native = await nativeProbe(file.path)
    const report = await runTool(bench, 'probe')
    const able: Tool[] = []
    // One run without measuring, because the first run of an engine compiles it.
    for (const tool of toolsFor(file)) {
      const { ms: took, said } = await runTool(bench, tool)
      if (took === null) failures.set(tool, said)
      else able.push(tool)
    }
    const steps = ['native', ...able] as const
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (let index = 0; index < steps.length; index += 1) {
        const step = steps[(index + repetition) % steps.length] ?? 'native'
        const took =
          step === 'native' ? (await nativeProbe(file.path)).ms : (await runTool(bench, step)).ms
        if (took !== null) ms[step].push(took)
      }
      if (file.pictures !== 'none') await measurePictures(bench, file, native, ms)
      if (file.name === RENDERED) await measureRenders(bench, file, ms)
    }
    for (let turn = 0; COLD.has(file.name) && turn < Math.min(COLD_RUNS, repetitions); turn += 1) {
      ms.coldProbe.push(await coldRun(origin, file, 'probe'))
      ms.coldFallback.push(await coldRun(origin, file, 'fallback'))
      ms.coldMediainfo.push(await coldRun(origin, file, 'mediainfo'))
    }
    const processorOf = async (tool: Tool): Promise<number | null> =>
      able.includes(tool) ? processorMs(bench, tool) : null
    const processor = {
      probe: await processorOf('probe'),
      deep: await processorOf('deep'),
      fallback: await processorOf('fallback'),
      mediainfo: await processorOf('mediainfo'),
    }
    const bytesOf = async (tool: Tool): Promise<number | null> =>
      able.includes(tool) ? bytesRead(bench, tool) : null
    const bytes = {
      native: await nativeBytes(file.path),
      probe: await bytesOf('probe'),
      fallback: await bytesOf('fallback'),
      mediainfo: await bytesOf('mediainfo'),
      memfs: await bytesOf('memfs'),
    }
    const peakOf = async (tool: Tool): Promise<number | null> =>
      able.includes(tool) ? (await memoryOf(origin, file, tool)).peakBytes : null
    const ours = await memoryOf(origin, file, 'probe')
    const peakBytes = {
      probe: ours.peakBytes,
      fallback: await peakOf('fallback'),
      mediainfo: await peakOf('mediainfo'),
      memfs: await peakOf('memfs'),
    }
    return {
      file,
      ms,
      bytes,
      processorMs: processor,
      peakBytes,
      leftBytes: ours.leftBytes,
      failures,
      disagreements: compare(report, native, file),
    }
  } finally {
    await bench.close()
  }
}

function toolsFor(file: BenchFile): readonly Tool[] {
  return TOOLS.filter((tool) => tool !== 'deep' || file.reader === 'fast').filter(
    (tool) => tool !== 'memfs' || file.sizeBytes < MEMFS_BYTES || file.group === '5GB',
  )
}

function runTool(bench: BenchPage, tool: Tool): Promise<Timed> {
  return bench.page.evaluate((name) => window.probeBench[name](), tool)
}

async function measurePictures(
  bench: BenchPage,
  file: BenchFile,
  { durationMs }: NativeProbe,
  ms: { [K in keyof Measured['ms']]: number[] },
): Promise<void> {
  const poster = await bench.page.evaluate(() => window.probeBench.poster())
  if (poster.ms !== null) ms.poster.push(poster.ms)
  ms.nativePoster.push(await nativePoster(file.path, durationMs))
  if (file.pictures === 'ffmpeg') return
  const strip = await bench.page.evaluate(() => window.probeBench.strip())
  if (strip.ms !== null) ms.strip.push(strip.ms)
  ms.nativeStrip.push(await nativeStrip(file.path, durationMs))
}

async function measureRenders(
  bench: BenchPage,
  file: BenchFile,
  ms: { [K in keyof Measured['ms']]: number[] },
): Promise<void> {
  for (const [kind, nativeKind] of [
    ['preview', 'nativePreview'],
    ['voice', 'nativeVoice'],
  ] as const) {
    const { ms: took, said } = await bench.page.evaluate(
      ({ args, output }) => window.probeBench.render(args, output),
      RENDERS[kind],
    )
    if (took === null) throw new Error(`${kind}: ${said}`)
    ms[kind].push(took)
    ms[nativeKind].push(await nativeRender(file.path, RENDERS[kind]))
  }
}

/**
 * In a new browser, including the start of the worker and the load of the engine.
 */
async function coldRun(origin: string, file: BenchFile, tool: Tool): Promise<number> {
  const bench = await openBenchPage(origin)
  try {
    await bench.choose(file.path)
    return (await runTool(bench, tool)).ms ?? Number.NaN
  } finally {
    await bench.close()
  }
}

async function bytesRead(bench: BenchPage, tool: Tool): Promise<number> {
  const before = await bench.readBytes()
  await runTool(bench, tool)
  return (await bench.readBytes()) - before
}

async function processorMs(bench: BenchPage, tool: Tool): Promise<number> {
  const before = await bench.processorMs()
  for (let run = 0; run < PROCESSOR_RUNS; run += 1) await runTool(bench, tool)
  return ((await bench.processorMs()) - before) / PROCESSOR_RUNS
}

async function memoryOf(
  origin: string,
  file: BenchFile,
  tool: Tool,
): Promise<{ readonly peakBytes: number; readonly leftBytes: number }> {
  const bench = await openBenchPage(origin)
  try {
    await bench.choose(file.path)
    return await bench.memoryUntilReleased(
      () => runTool(bench, tool),
      async () => {
        await bench.page.evaluate(() => window.probeBench.release())
        await new Promise((resolve) => setTimeout(resolve, RELEASED_AFTER_MS))
      },
    )
  } finally {
    await bench.close()
  }
}

const DURATION_TOLERANCE_MS = 20

function compare(timed: Timed, native: NativeProbe, file: BenchFile): readonly string[] {
  if (timed.ms === null) return [`no report: ${timed.said}`]
  const report = JSON.parse(timed.said) as ProbeReport
  const off = Math.abs((report.durationMs ?? 0) - native.durationMs)
  return [
    // Streams without an index: ffprobe guesses as well.
    ...(off <= DURATION_TOLERANCE_MS || !file.name.endsWith('mp4')
      ? []
      : [`duration is off by ${off.toFixed(0)} ms`]),
    ...(report.video?.codedWidth === native.width || report.video?.displayWidth === native.width
      ? []
      : [`width ${report.video?.codedWidth} for ${native.width}`]),
    ...(report.video?.codec === native.codec
      ? []
      : [`codec ${report.video?.codec} for ${native.codec}`]),
  ]
}
