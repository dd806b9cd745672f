/**
 * `npm run bench -- make-now [source or edit …]`: edits that a browser makes of generated videos of
 * 60 s, each beside the server's render of the same plan: time, processor seconds, memory, bytes,
 * and likeness (SSIM) to what the source shows. Without names all of them are made; `moments` is
 * the search for moments. Prints the ratio to the limit where there is one; the exit code is 0
 * whenever it could measure. On a busy machine processor seconds and memory still hold.
 */
import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { processorMsOf } from '#tests/setup/browser-processes.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { fine, inspect, likenessOf } from '#tests/setup/made-edits.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'
import { costOfSearch, renderEdit, serverFfmpeg } from '#tests/setup/render-edit.ts'
import { watchGrowth, type Growth } from './browser-memory.ts'
import type {} from './make-page/main.ts'
import { serveBenchPage } from './probe-browser.ts'

const SOURCES = {
  '720p': { size: '1280x720', rate: 30, megabits: 5 },
  'full-hd': { size: '1920x1080', rate: 30, megabits: 8 },
  'full-hd-60': { size: '1920x1080', rate: 60, megabits: 12 },
  '4k': { size: '3840x2160', rate: 30, megabits: 30 },
} as const
const EDITS: Readonly<Record<string, unknown>> = {
  'teaser-15s': undefined,
  'teaser-square': undefined,
  'teaser-upright': undefined,
  'still-pack': undefined,
  'social-media-gif-pack': undefined,
  'dynamic-watermark': { text: '@beach.day' },
}
const SEARCH = 'moments'
/** Encoded once and repeated: the same pictures again cost no encoder. */
const ONCE_S = 12
const TIMES = 5
/** So much of a watermark is compared with its source, which shows the same without it. */
const COMPARED_S = 15

/** At once, of what was made. */
const READ_BYTES = 8 * 2 ** 20

/** Of the growth of the page's process. */
const MOST_PAGE_BYTES = 400e6
/** Of processor time and bytes, by the server's. */
const MOST_CPU = 1
const MOST_BYTES = 2
/** How much less like the source than the server's. */
const MOST_UNLIKE = 0.02
/** Of the search, by the length of the video. */
const MOST_SEARCH = 0.15

const wanted = process.argv.slice(2)
const known = [...Object.keys(SOURCES), ...Object.keys(EDITS), SEARCH]
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No ${unknown.join(', ')}: ${known.join(', ')}`)
  process.exit(2)
}
const among = (names: readonly string[]): readonly string[] => {
  const chosen = names.filter((name) => wanted.includes(name))
  return chosen.length === 0 ? names : chosen
}
const folder = await mkdtemp(join(tmpdir(), 'onecut-bench-make-'))
const site = await serveBenchPage(join(folder, 'site'), 'make-page')
const server = await serverFfmpeg()
try {
  console.log(
    '| source | edit | load | s: here, server | processor s: here, server, ratio | page, all processes, MB more | server, MB | MB: here, server, ratio | likeness: here, server |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  for (const name of among(Object.keys(SOURCES)))
    for (const edit of among([...Object.keys(EDITS), SEARCH]))
      console.log(await lineOf(name as keyof typeof SOURCES, edit))
} finally {
  await site.close()
  await rm(folder, { recursive: true, force: true })
}

/** Moving pictures with faint noise, so that no two are alike; a key frame every two seconds. */
async function sourceOf(name: keyof typeof SOURCES): Promise<string> {
  const { size, rate, megabits } = SOURCES[name]
  const once = await keptClip(`${name}.mp4`, [
    ...`-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${ONCE_S},noise=alls=4:allf=t:all_seed=1`.split(
      ' ',
    ),
    // Shorter than the pictures: a longer one leaves a gap wherever the video is repeated.
    ...`-f lavfi -i sine=frequency=440:sample_rate=48000:d=${ONCE_S - 0.1}`.split(' '),
    ...`-c:v libx264 -preset ultrafast -b:v ${megabits}M -g ${2 * rate}`.split(' '),
    ...'-pix_fmt yuv420p -c:a aac -ac 2'.split(' '),
  ])
  const again = ['-stream_loop', String(TIMES - 1), '-i', once, '-c', 'copy']
  return await keptClip(`${name}-long.mp4`, again)
}

interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
}
interface MadeHere extends Cost, Growth {
  readonly source: SourceProbe
  readonly isSmall: boolean
  /** Paths of its files. */
  readonly files: readonly string[]
}

async function lineOf(name: keyof typeof SOURCES, edit: string): Promise<string> {
  const path = await sourceOf(name)
  const here = await madeHere(path, edit)
  if (typeof here === 'string') return `| ${name} | ${edit} | ${here} |`
  const columns =
    edit === SEARCH ? await searchBeside(here, path) : await editBeside(here, path, edit)
  const made = here.isSmall ? `${edit} at 720p` : edit
  return `| ${name} | ${made} | ${loadavg()[0]?.toFixed(1)} | ${columns.join(' | ')} |`
}

/** In a browser of its own, because memory is kept from one edit to the next. */
async function madeHere(path: string, edit: string): Promise<MadeHere | string> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    // Without the spare process for future pages, which grows on its own.
    args: ['--disable-features=SpareRendererForSitePerProcess'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(site.origin)
    await page.waitForFunction(() => 'makeBench' in window)
    await page.setInputFiles('#file', path)
    const source = await page.evaluate(() => window.makeBench.source())
    return await measured(browser, page, edit, source)
  } finally {
    await browser.close()
  }
}

/** What the page found out before a button says that it makes the edit is not counted. */
async function measured(
  browser: Browser,
  page: Page,
  edit: string,
  source: SourceProbe,
): Promise<MadeHere | string> {
  const asked = [edit, EDITS[edit], source] as const
  const rung =
    edit === SEARCH
      ? ({ kind: 'now' } as const)
      : await page.evaluate((of) => window.makeBench.canMake(...of), asked)
  if (rung.kind === 'server') return rung.why
  const before = await processorMsOf(browser)
  const endWatch = await watchGrowth(browser)
  const made =
    edit === SEARCH
      ? await page.evaluate((of) => window.makeBench.findMoments(of), source)
      : await page.evaluate((of) => window.makeBench.make(...of), asked)
  const growth = await endWatch()
  const cpuSeconds = ((await processorMsOf(browser)) - before) / 1000
  if (typeof made === 'string') return made
  const finished = typeof made === 'number' ? { tookMs: made, files: [] } : made
  const seconds = finished.tookMs / 1000
  const files = await saved(page, finished.files)
  return { source, isSmall: rung.kind === 'now-small', seconds, cpuSeconds, ...growth, files }
}

async function saved(
  page: Page,
  files: readonly { readonly fileName: string; readonly sizeBytes: number }[],
): Promise<readonly string[]> {
  const paths: string[] = []
  for (const [index, { fileName, sizeBytes }] of files.entries()) {
    const path = join(folder, `here-${fileName}`)
    await writeFile(path, '')
    for (let from = 0; from < sizeBytes; from += READ_BYTES) {
      const asked = [index, sizeBytes, from, from + READ_BYTES] as const
      const part = await page.evaluate((of) => window.makeBench.read(...of), asked)
      await appendFile(path, Buffer.from(part, 'base64'))
    }
    paths.push(path)
  }
  return paths
}

function beside(here: MadeHere, there: Cost & { readonly peakBytes: number }): readonly string[] {
  const ratio = here.cpuSeconds / there.cpuSeconds
  return [
    `${here.seconds.toFixed(1)}, ${there.seconds.toFixed(1)}`,
    `${here.cpuSeconds.toFixed(1)}, ${there.cpuSeconds.toFixed(1)}, ${ratio.toFixed(2)} (${(ratio / MOST_CPU).toFixed(2)} of the limit)`,
    `${mb(here.page)} (${(here.page / MOST_PAGE_BYTES).toFixed(2)} of the limit), ${mb(here.all)}`,
    mb(there.peakBytes),
  ]
}

async function searchBeside(here: MadeHere, path: string): Promise<readonly string[]> {
  const there = await costOfSearch(server, path)
  const share = here.cpuSeconds / (here.source.durationMs / 1000)
  const goal = `${share.toFixed(2)} of the video's length (${(share / MOST_SEARCH).toFixed(2)} of the goal)`
  return [...beside(here, there), goal, '']
}

async function editBeside(here: MadeHere, path: string, edit: string): Promise<readonly string[]> {
  const made = await renderEdit(server, edit, EDITS[edit], path, { moments: [] })
  try {
    // Archives are packed by the app when a person saves.
    const files = made.plan.outputs
      .filter(({ kind }) => kind !== 'archive')
      .map((output) => made.file(output.name))
    const [own, its] = [await sizeOf(here.files), await sizeOf(files)]
    const ratio = own / its
    return [
      ...beside(here, made),
      `${mb(own, 1)}, ${mb(its, 1)}, ${ratio.toFixed(2)} (${(ratio / MOST_BYTES).toFixed(2)} of the limit)`,
      await likenessesOf(here, files, path, edit),
    ]
  } finally {
    await rm(made.folder, { recursive: true, force: true })
  }
}

/** To the source for films; of pictures the least of a file to the server's. */
async function likenessesOf(
  { files, source }: MadeHere,
  its: readonly string[],
  path: string,
  edit: string,
): Promise<string> {
  const [film, other] = [files[0] ?? '', its[0] ?? '']
  if (files.length > 1) {
    const each = await Promise.all(files.map((file, at) => likenessOf(file, its[at] ?? '')))
    return `${planes((plane) => Math.min(...each.map((likeness) => likeness[plane])))} to the server's`
  }
  const isMarked = edit === 'dynamic-watermark'
  const reference = isMarked ? path : await asShown(source, path, edit)
  const [picture] = (await inspect(film)).streams
  const { width, height } = picture ?? {}
  const shown = { scaledTo: `${String(width)}:${String(height)}`, seconds: COMPARED_S }
  const here = await likenessOf(film, reference, shown)
  const there = await likenessOf(other, reference, shown)
  const kinds = ['Y', 'U', 'V'] as const
  const worst = Math.max(...kinds.map((plane) => there[plane] - here[plane]))
  return `${planes((plane) => here[plane])}, ${planes((plane) => there[plane])} (${(worst / MOST_UNLIKE).toFixed(2)} of the limit)`
}

function planes(likeness: (plane: 'Y' | 'U' | 'V') => number): string {
  return (['Y', 'U', 'V'] as const).map((plane) => likeness(plane).toFixed(3)).join('/')
}

/** What the edit shows of the source, nearly without loss. */
async function asShown(source: SourceProbe, path: string, edit: string): Promise<string> {
  const context = { moments: [], assets: [], secret: '' }
  const plan = findRecipe(edit)?.plan(source, EDITS[edit], context)
  if (plan?.ok !== true) throw new Error('no plan')
  const places = { source: path, folder: await mkdtemp(join(folder, 'fine-')) }
  const [made = ''] = Object.values(await renderPlan(fine(plan.value), places))
  return made
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const each = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

function mb(bytes: number, digits = 0): string {
  return (bytes / 1e6).toFixed(digits)
}
