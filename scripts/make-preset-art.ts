/**
 * Draws the picture of every preset, or of those named: `node scripts/make-preset-art.ts [slug …]`
 * puts recipes/<slug>/motif.svg on a landscape and writes public/presets/<slug>.webp
 * (640x400), by Chromium and ffmpeg. The pictures are committed, so that building the app needs
 * neither.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogue } from '#recipes/presets.ts'
import { MADE_BY_RECIPES } from '#scripts/pictures/made-by-recipes.ts'
import { drawScene, SCENES } from '#scripts/pictures/landscape.ts'
import { chromium, ensureTool, ffmpeg } from '#scripts/ensure-tools.ts'

const recipesFolder = join(import.meta.dirname, '../recipes')
const target = join(import.meta.dirname, '../public/presets')
const wanted = process.argv.slice(2)
const tools = { chromium: ensureTool(chromium), ffmpeg: ensureTool(ffmpeg) }
const work = mkdtempSync(join(tmpdir(), 'preset-art-'))
mkdirSync(target, { recursive: true })
try {
  for (const [index, { slug }] of catalogue.entries()) {
    if (!isWanted(slug)) continue
    const motif = readFileSync(join(recipesFolder, slug, 'motif.svg'), 'utf8')
    draw(slug, page(slug, motif, index))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Those that were named; else all whose picture their recipe does not make. */
function isWanted(slug: string): boolean {
  if (wanted.length > 0) return wanted.includes(slug)
  return !MADE_BY_RECIPES.some((made) => made === slug)
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

/** The motif over a landscape, which is dark enough for white lines and differs by preset. */
function page(slug: string, motif: string, index: number): string {
  const [width, height] = [640, 400]
  const scene = SCENES[index % SCENES.length] ?? SCENES[0]
  const [raw, picture] = [join(work, `${slug}.ppm`), join(work, `${slug}-scene.png`)]
  writeFileSync(
    raw,
    Buffer.concat([
      Buffer.from(`P6\n${width} ${height}\n255\n`),
      drawScene(scene, 2 + (index % 5), width, height),
    ]),
  )
  execFileSync(tools.ffmpeg, ['-nostdin', '-v', 'error', '-y', '-i', raw, picture])
  return `<!doctype html><style>*{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400">
    <image href="file://${picture}" width="640" height="400"/><rect width="640" height="400" fill="#0d0924" fill-opacity=".58"/>${motif}</svg>`
}
