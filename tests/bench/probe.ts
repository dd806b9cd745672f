/**
 * `npm run bench -- probe [repetitions] [small|300MB|5GB|25GB|NAME.mp4 …]`: compares the app's
 * probe of a chosen video with native ffprobe, mediainfo.js and ffmpeg.wasm with the file copied
 * into memory: same files, same run, order rotated. The exit code is 0 whenever it could measure,
 * goals met or not, because other work on the machine changes the figures.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBenchPage, serveBenchPage } from './probe-browser.ts'
import { measureCancel, type Cancelled } from './probe-cancel.ts'
import { FILE_NAMES, forEachFile, GROUPS } from './probe-files.ts'
import { FILE_HEAD, fileLine, goalLines, median, type EngineStarts } from './probe-goals.ts'
import { measureFile, type Measured } from './probe-measure.ts'

/** One that the fast reader reads and WebCodecs decodes, one of each that only ffmpeg can. */
const CANCELLED: ReadonlySet<string> = new Set([
  'stream.ts',
  'hevc.mp4',
  'mpeg4.avi',
  'uhd-25gb.mp4',
])

const repetitions = Number(process.argv[2] ?? 9)
const asked = process.argv.slice(3)
const wanted = new Set<string>(asked.length === 0 ? GROUPS : asked)
if (
  !Number.isInteger(repetitions) ||
  repetitions < 1 ||
  asked.some((name) => ![...GROUPS, ...FILE_NAMES].includes(name))
) {
  console.error(`Usage: npm run bench -- probe [repetitions] [${GROUPS.join('|')}|NAME.mp4 …]`)
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-probe-'))
const site = await serveBenchPage(join(folder, 'site'))
const files: Measured[] = []
const cancelled: Cancelled[] = []
try {
  console.log(
    `${repetitions} repetitions, order rotated; medians in ms, round trips from the page; load ${load()}\n`,
  )
  for (const line of FILE_HEAD) console.log(line)
  await forEachFile(folder, wanted, async (file) => {
    const measured = await measureFile(site.origin, file, repetitions)
    files.push(measured)
    if (CANCELLED.has(file.name)) cancelled.push(await measureCancel(site.origin, file))
    console.log(fileLine(measured))
  })
  for (const { file, disagreements } of files)
    for (const said of disagreements) console.log(`${file.name}: ${said}`)
  const starts = await measureStarts()
  console.log(
    `\nEngine: cold ${median(starts.cold).toFixed(0)} ms, another worker ${median(starts.warm).toFixed(0)} ms`,
  )
  for (const { file, ms } of files.filter(({ file }) => file.pictures !== 'none')) {
    console.log(
      `Pictures of ${file.name}: poster ${time(ms.poster)} (ffmpeg ${time(ms.nativePoster)}), ten pictures ${time(ms.strip)} (ffmpeg ${time(ms.nativeStrip)})`,
    )
  }
  for (const { file, ms } of files.filter(({ ms }) => ms.coldProbe.length > 0))
    console.log(
      `Cold, ${file.name}: ${time(ms.coldProbe)}, by the fallback ${time(ms.coldFallback)}, mediainfo.js ${time(ms.coldMediainfo)}`,
    )
  for (const { file, ms } of files.filter(({ ms }) => ms.preview.length > 0))
    console.log(
      `Previews of ${file.name}: ${time(ms.preview)} (ffmpeg ${time(ms.nativePreview)}), voice ${time(ms.voice)} (ffmpeg ${time(ms.nativeVoice)})`,
    )
  for (const { runs, doneBefore } of cancelled)
    console.log(`Called off ${runs} times, of which ${doneBefore} were done before`)
  console.log('')
  for (const line of goalLines({ files, starts, cancelled })) console.log(line)
  console.log(`\nload ${load()}`)
} finally {
  await site.close()
  await rm(folder, { recursive: true, force: true })
}

async function measureStarts(): Promise<EngineStarts> {
  const starts = { cold: [] as number[], warm: [] as number[] }
  for (let turn = 0; turn < Math.min(5, repetitions); turn += 1) {
    const bench = await openBenchPage(site.origin)
    starts.cold.push(await bench.page.evaluate(() => window.probeBench.start(true)))
    starts.warm.push(await bench.page.evaluate(() => window.probeBench.start(false)))
    await bench.close()
  }
  return starts
}

function time(values: readonly number[]): string {
  return values.length === 0 ? '–' : `${median(values).toFixed(0)} ms`
}

function load(): string {
  return loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')
}
