/**
 * `npm run bench -- previews [repetitions] [file or edit …]`: how long the app takes for the
 * preview of each edit on recordings of some minutes, where the time of one goes, and how soon a
 * cancelled one ends. The exit code is 0 whenever it could measure. While the machine does other
 * work, processor time (`cpu`, of all processes of the browser) is more reliable than seconds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { processorMsOf } from '#tests/setup/browser-processes.ts'
import { serveBenchPage } from './probe-browser.ts'
import { previewFiles } from './preview-files.ts'
import type {} from './preview-page/main.ts'
import type { BenchStep } from './preview-page/steps.worker.ts'
import { median } from './statistics.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { PreviewWindow, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'

const EDITS: readonly (readonly [string, unknown])[] = [
  ['dynamic-watermark', { text: '@someusername' }],
  ['teaser-15s', undefined],
  ['teaser-60s', undefined],
  ['social-media-gif-pack', undefined],
  ['still-pack', undefined],
  ['tube-cut', { targetDuration: 60_000 }],
  ['uniform-sampling', { maximumDuration: 60_000, segmentCount: 6 }],
  ['voice-mask-full-scene', undefined],
]
const CALLED_OFF_AFTER_MS = [50, 1_000] as const
/** Their plans are those of the 15 s teaser. */
const SAME_PLAN: ReadonlySet<string> = new Set(['teaser-60s', 'tube-cut', 'uniform-sampling'])

const COLUMNS = 7

const repetitions = Number(process.argv[2] ?? 3)
const wanted = process.argv.slice(3)
const slugs = wanted.filter((name) => !name.includes('.'))
const edits = EDITS.filter(([slug]) => slugs.length === 0 || slugs.includes(slug))
if (!Number.isInteger(repetitions) || repetitions < 1) {
  console.error('Usage: npm run bench -- previews [repetitions] [file or edit …]')
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-previews-'))
const site = await serveBenchPage(join(folder, 'site'), 'preview-page')
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
})
try {
  const files = await previewFiles(
    folder,
    wanted.filter((name) => name.includes('.')),
  )
  const page = await browser.newPage()
  await page.goto(site.origin)
  await page.waitForFunction(() => 'previewBench' in window)
  console.log(`${repetitions} repetitions, medians in seconds; load ${load()}\n`)
  console.log(
    '| file | edit | first one | all that opens with it | cpu: first one | start | reading | decoding | filters, encoding | slowest answer to a cancel |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const file of files) {
    await page.setInputFiles('#file', file.path)
    const source = await page.evaluate(() => window.previewBench.source())
    for (const [slug, payload] of edits)
      console.log(await lineOf(page, file.name, slug, payload, source))
  }
  console.log(`\nload ${load()}`)
} finally {
  await browser.close()
  await site.close()
  await rm(folder, { recursive: true, force: true })
}

async function lineOf(
  page: Page,
  name: string,
  slug: string,
  payload: unknown,
  source: SourceProbe,
): Promise<string> {
  const windows = await page.evaluate(
    ([of, facts, options]) => window.previewBench.windows(of, facts, options),
    [slug, source, payload] as const,
  )
  const made: number[][] = []
  const firstCpu: number[] = []
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const each: number[] = []
    for (const part of windows) {
      const before = await processorMsOf(browser)
      const ms = await page.evaluate(
        ([of, options, facts, window_]) => window.previewBench.make(of, options, facts, window_),
        [slug, payload, source, part] as const,
      )
      if (each.length === 0) firstCpu.push((await processorMsOf(browser)) - before)
      if (typeof ms === 'string') return `| ${name} | ${slug} | ${ms} | | | | | | | |`
      each.push(ms)
    }
    made.push(each)
  }
  const first = median(made.map((each) => each[0] ?? 0))
  const all = median(made.map((each) => each.reduce((sum, ms) => sum + ms, 0)))
  const [part] = windows
  if (part === undefined) throw new Error(`${slug} has nothing to preview`)
  const answers: number[] = []
  for (const afterMs of CALLED_OFF_AFTER_MS)
    answers.push(
      await page.evaluate(
        ([of, options, facts, window_, ms]) =>
          window.previewBench.callOff(of, options, facts, window_, ms),
        [slug, payload, source, part, afterMs] as const,
      ),
    )
  const columns = [
    first,
    all,
    median(firstCpu),
    ...(SAME_PLAN.has(slug) ? [] : await split(page, slug, payload, source, part)),
  ].map((ms) => (ms / 1_000).toFixed(2))
  while (columns.length < COLUMNS) columns.push('')
  return `| ${name} | ${slug} (${windows.length} × ${(part.durationMs / 1_000).toFixed(1)} s) | ${columns.join(' | ')} | ${Math.max(...answers).toFixed(0)} ms |`
}

/**
 * Processor time of start, reading, decoding, and filters with encoding of the first item: each the
 * difference between a run with it and a run without.
 */
async function split(
  page: Page,
  slug: string,
  payload: unknown,
  source: SourceProbe,
  part: PreviewWindow,
): Promise<readonly number[]> {
  const plan = findRecipe(slug)?.preview?.(source, payload, part, { secret: SECRET })
  if (plan?.ok !== true) throw new Error(`no plan of ${slug}`)
  const start = await cpuOf(page, [], plan.value)
  let [reading, decoding] = [0, 0]
  for (const { inputs, args } of plan.value.steps) {
    // A step without the source reads what another one made.
    if (!inputs.some(({ from }) => from.kind === 'source')) continue
    const decoded = args.includes('-vn')
      ? ['-map', '0:a:0']
      : ['-map', '0:V:0', ...(args.includes('[a]') ? ['-map', '0:a:0'] : [])]
    const nowhere = [...(args.includes('-frames:v') ? ['-frames:v', '1'] : []), '-f', 'null', '-']
    const copy = { inputs, args: [...decoded, '-c', 'copy', ...nowhere] }
    const decode = { inputs, args: [...decoded, ...nowhere] }
    const copied = await cpuOf(page, [copy], plan.value)
    reading += Math.max(0, copied - start)
    decoding += Math.max(0, (await cpuOf(page, [decode], plan.value)) - copied)
  }
  const whole = await cpuOf(page, plan.value.steps, plan.value)
  return [start, reading, decoding, Math.max(0, whole - start - reading - decoding)]
}

async function cpuOf(page: Page, runs: readonly BenchStep[], plan: RecipePlan): Promise<number> {
  const before = await processorMsOf(browser)
  await page.evaluate(([of, files]) => window.previewBench.step(of, files), [
    runs,
    plan.files,
  ] as const)
  return (await processorMsOf(browser)) - before
}

function load(): string {
  return loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')
}
