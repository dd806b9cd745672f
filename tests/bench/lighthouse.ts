/**
 * `npm run bench -- lighthouse [mobile|desktop] [path …]`: measures the pages that people meet
 * first with Lighthouse, on its throttled phone and its desktop, and prints them beside their
 * limits: of three runs, the one in the middle. Ends with 1 where a limit is not met. npm loads
 * Lighthouse when it is needed: among the packages, ranges of its own ones (`latest`) keep
 * `npm sbom` from listing what the app is made of.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { putBrowserFirst } from './put-browser-first.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { freePort } from '#tests/setup/free-port.ts'

const VERSION = '13.5.0'
const RUNS = 3
const PUBLIC_PAGES = ['/', '/signup'] as const
const PRIVATE_PAGES = ['/edits', '/uploads/new'] as const
const LIMITS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Of the front page on the throttled phone. */
const FRONT_LCP_MS = 1_800
const FRONT_CLS = 0.05

const wanted = process.argv.slice(2)
const devices = (['mobile', 'desktop'] as const).filter(
  (device) => !wanted.some((word) => /^\w+$/.test(word)) || wanted.includes(device),
)
const isWanted = (path: string) =>
  !wanted.some((word) => word.startsWith('/')) || wanted.includes(path)

const folder = await mkdtemp(join(tmpdir(), 'onecut-lighthouse-'))
const port = await freePort()
const context = await chromium.launchPersistentContext(folder, {
  ...(process.env['CHROMIUM_PATH'] === undefined
    ? {}
    : { executablePath: process.env['CHROMIUM_PATH'] }),
  args: [`--remote-debugging-port=${port}`, '--no-sandbox'],
})
// The server and Lighthouse, which are begun from here on, give way to the browser: a phone does
// not share its cores with them, and what blocks a page is counted by the clock.
setPriority(15)
await putBrowserFirst(folder)
const serverPort = await freePort()
// Passkeys know this machine by this name only, and the server answers its pages by one name.
const origin = `http://localhost:${serverPort}`
const started = await startE2eServer({
  PORT: String(serverPort),
  ONECUT_PUBLIC_ORIGIN: origin,
})
const server = { ...started, origin }
const misses: string[] = []
try {
  console.log(
    '| page | device | performance | accessibility | best practices | SEO | LCP | CLS | blocked | script |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const path of PUBLIC_PAGES) await measure(path)
  const { client, userId } = await signUpAt(server)
  await client.patch(`/v1/${userId}/profile`, { userProfile: { profession: 'Creator/Model' } })
  await context.addCookies(
    [...client.cookies].map(([name, value]) => ({ name, value, url: origin })),
  )
  for (const path of PRIVATE_PAGES) await measure(path)
} finally {
  await context.close()
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
}
for (const miss of misses) console.log(miss)
process.exitCode = misses.length === 0 ? 0 : 1

async function measure(path: string): Promise<void> {
  if (!isWanted(path)) return
  for (const device of devices) {
    const reports: Report[] = []
    for (let run = 0; run < RUNS; run += 1) reports.push(await runLighthouse(origin + path, device))
    const byPerformance = reports.toSorted((a, b) => performanceOf(a) - performanceOf(b))
    const middle = byPerformance[Math.floor(RUNS / 2)]
    if (middle !== undefined) report(path, device, middle)
  }
}

function performanceOf({ categories, audits }: Report): number {
  // Runs of equal points are told apart by what points are lost for here.
  const blockedMs = audits['total-blocking-time']?.numericValue ?? 0
  return (categories['performance']?.score ?? 0) - blockedMs / 1e6
}

/** Of Lighthouse's own report, what is read here. */
interface Audit {
  readonly score: number | null
  readonly title: string
  readonly displayValue?: string
  readonly numericValue?: number
  readonly details?: { readonly items?: readonly Readonly<Record<string, unknown>>[] }
}
interface Category {
  readonly score: number | null
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
}
interface Report {
  readonly finalDisplayedUrl: string
  readonly categories: Readonly<Record<string, Category | undefined>>
  readonly audits: Readonly<Record<string, Audit | undefined>>
}

async function runLighthouse(url: string, device: 'mobile' | 'desktop'): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    'npm',
    [
      'exec',
      '--yes',
      `--package=lighthouse@${VERSION}`,
      '--',
      'lighthouse',
      url,
      `--port=${port}`,
      '--output=json',
      '--quiet',
      `--only-categories=${CATEGORIES.join(',')}`,
      ...(device === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, LIGHTHOUSE_ERROR_REPORTING: 'false' } },
  )
  return JSON.parse(stdout) as Report
}

function report(
  path: string,
  device: string,
  { categories, audits, finalDisplayedUrl }: Report,
): void {
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100))
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN
  const lcpMs = value('largest-contentful-paint')
  const cls = value('cumulative-layout-shift')
  const cells = [
    path,
    device,
    ...scores,
    `${(lcpMs / 1000).toFixed(2)} s`,
    cls.toFixed(3),
    `${Math.round(value('total-blocking-time'))} ms`,
    scriptBytes(audits),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (new URL(finalDisplayedUrl).pathname !== path)
    misses.push(`${path} led to ${finalDisplayedUrl}, so something else was measured.`)
  for (const [at, name] of CATEGORIES.entries())
    if ((scores[at] ?? 0) < LIMITS[name])
      misses.push(
        `${path} ${device}: ${name} ${scores[at]} is below ${LIMITS[name]}: ${lost(name)}`,
      )
  if (path === '/' && device === 'mobile' && (lcpMs > FRONT_LCP_MS || cls > FRONT_CLS))
    misses.push(`/ mobile: LCP ${FRONT_LCP_MS} ms and CLS ${FRONT_CLS} are the limits.`)

  /** The audits that cost points. */
  function lost(name: (typeof CATEGORIES)[number]): string {
    return (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${id} (${audits[id]?.displayValue ?? audits[id]?.title ?? ''})`)
      .join(', ')
  }
}

function scriptBytes(audits: Report['audits']): string {
  const bytes = (audits['network-requests']?.details?.items ?? [])
    .filter((item) => item['resourceType'] === 'Script')
    .reduce((sum, item) => sum + Number(item['transferSize']), 0)
  return `${Math.round(bytes / 1024)} KB`
}
