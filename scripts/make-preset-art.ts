/**
 * Draws the picture of every preset, or of those named: `node scripts/make-preset-art.ts [slug …]`
 * puts recipes/<slug>/motif.svg on a common background and writes public/presets/<slug>.webp
 * (640x400), by Chromium and ffmpeg. The pictures are committed, so that building the app needs
 * neither.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogue } from '#recipes/presets.ts'
import { chromium, ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'

const recipesFolder = join(import.meta.dirname, '../recipes')
const target = join(import.meta.dirname, '../public/presets')
const wanted = process.argv.slice(2)
const tools = { chromium: ensureTool(chromium), ffmpeg: ensureTool(ffmpeg) }
const work = mkdtempSync(join(tmpdir(), 'preset-art-'))
mkdirSync(target, { recursive: true })
try {
  for (const [index, { slug }] of catalogue.entries()) {
    if (wanted.length > 0 && !wanted.includes(slug)) continue
    const motif = readFileSync(join(recipesFolder, slug, 'motif.svg'), 'utf8')
    draw(slug, page(motif, index))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

function draw(slug: string, html: string): void {
  const [input, shot] = [join(work, `${slug}.html`), join(work, `${slug}.png`)]
  writeFileSync(input, html)
  execFileSync(
    tools.chromium,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      `--user-data-dir=${join(work, 'profile')}`,
      '--force-device-scale-factor=1',
      '--window-size=640,400',
      `--screenshot=${shot}`,
      `file://${input}`,
    ],
    { stdio: 'ignore' },
  )
  execFileSync(tools.ffmpeg, [
    '-nostdin',
    '-v',
    'error',
    '-y',
    '-i',
    shot,
    '-c:v',
    'libwebp',
    '-quality',
    '86',
    '-preset',
    'drawing',
    join(target, `${slug}.webp`),
  ])
}

/**
 * The common look: indigo to purple, two soft lights and far hills, a little different for each
 * preset.
 */
function page(motif: string, index: number): string {
  const turn = (index * 53) % 360
  const light = { x: 120 + ((index * 137) % 400), y: 60 + ((index * 71) % 120) }
  const hill = (height: number, phase: number): string => {
    const points = Array.from(
      { length: 33 },
      (_, step) =>
        `${step * 20} ${(height + 22 * Math.sin(step / 4 + phase) + 9 * Math.sin(step / 1.7 + phase * 2)).toFixed(1)}`,
    )
    return `M0 400 L${points.join(' L')} L640 400z`
  }
  return `<!doctype html><style>*{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">
    <defs><linearGradient id="sky" gradientTransform="rotate(${35 + (turn % 30)})"><stop offset="0" stop-color="#1c1450"/><stop offset=".55" stop-color="#4a2bb3"/><stop offset="1" stop-color="#8a34b8"/></linearGradient>
    <radialGradient id="light"><stop offset="0" stop-color="#ff8bd2" stop-opacity=".55"/><stop offset="1" stop-color="#ff8bd2" stop-opacity="0"/></radialGradient>
    <radialGradient id="cold"><stop offset="0" stop-color="#5ab0ff" stop-opacity=".4"/><stop offset="1" stop-color="#5ab0ff" stop-opacity="0"/></radialGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="16"/></filter></defs>
    <rect width="640" height="400" fill="url(#sky)"/><circle cx="${light.x}" cy="${light.y}" r="230" fill="url(#light)"/><circle cx="${640 - light.x}" cy="330" r="240" fill="url(#cold)"/>
    <path d="${hill(318, index)}" fill="#140c3a" fill-opacity=".28"/><path d="${hill(352, index * 1.7 + 2)}" fill="#140c3a" fill-opacity=".4"/>${motif}</svg>`
}
