import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasAlpha, ofFields, onGround } from '#recipes/picture.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlanPlace, PlanRun } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'
import type { FileProbe } from '#server/media/file-probe.ts'

/** The file whose picture is wanted, and the folder that gets it. */
interface Sitter {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/** What is known of it. */
type Seen = Pick<FileProbe, 'kind' | 'source'>

/** Neither black nor white logos vanish on it. */
const GROUND = 128
/** Where an asset is looked at; intros begin and end in black. */
const LOOKS = [0.1, 0.3, 0.5, 0.7, 0.9] as const

/** Where a video is looked at before its first picture, which may be black. */
const VIDEO_LOOKS = [0.1, 0.5] as const

/**
 * The path of a JPEG picture of a video, 640 pixels wide at most, or what ffmpeg said. A video
 * whose pictures are damaged wherever it is looked at has none, although its first one may be
 * there: no edit of it can be made. Rejects with the `ToolFault` of the machine.
 */
export async function makeThumbnail(
  ffmpeg: Ffmpeg,
  sitter: Sitter,
  probe: Seen,
): Promise<Result<string, string>> {
  const damaged: string[] = []
  for (const share of VIDEO_LOOKS) {
    const made = await takePicture(ffmpeg, sitter, probe, probe.source.durationMs * share)
    if (made.ok) return ok(made.value.path)
    // Processor time ends at places far from a full picture, which is no damage.
    if (!made.error.isDamage) break
    damaged.push(made.error.detail)
  }
  if (damaged.length === VIDEO_LOOKS.length) return err(damaged.join('\n'))
  const first = await takePicture(ffmpeg, sitter, probe, 0)
  return first.ok ? ok(first.value.path) : err(first.error.detail)
}

/** The same of an asset: of a video the brightest of five pictures, of an image all of it. */
export async function makeAssetThumbnail(
  ffmpeg: Ffmpeg,
  sitter: Sitter,
  probe: Seen,
): Promise<Result<string, string>> {
  const { durationMs } = probe.source
  const places = probe.kind === 'image' ? [0] : [...LOOKS.map((share) => share * durationMs), 0]
  let best: Picture | null = null
  let detail = ''
  for (const [index, atMs] of places.entries()) {
    // The beginning is for files of which no other place can be read.
    if (best !== null && index === LOOKS.length) break
    const made = await takePicture(ffmpeg, sitter, probe, atMs, `thumbnail-${index}`)
    if (!made.ok) detail = made.error.detail
    else if (best === null || made.value.brightness > best.brightness) best = made.value
  }
  return best === null ? err(detail) : ok(best.path)
}

interface Picture {
  readonly path: string
  /** 0..255. */
  readonly brightness: number
}

/** Why there is no picture; `detail` is what ffmpeg said. */
interface Missing {
  readonly isDamage: boolean
  readonly detail: string
}

const PICTURE = '-map [p] -frames:v 1 -map_metadata -1 -q:v 3 -f mjpeg'.split(' ')
const BRIGHTNESS = '-map [g] -frames:v 1 -f rawvideo'.split(' ')

/** One picture of a file as a JPEG in the scratch folder, or what ffmpeg said. */
export async function takePicture(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: Sitter,
  probe: Seen,
  atMs: number,
  name = 'thumbnail',
): Promise<Result<Picture, Missing>> {
  const inFolder = (place: PlanPlace & { readonly kind: 'output' }) => join(scratchDir, place.name)
  const [picture, light] = [
    { kind: 'output', name: `${name}.jpg` },
    { kind: 'output', name: `${name}.gray` },
  ] as const
  const ground = hasAlpha(probe.source) ? `,${onGround(GROUND)}` : ''
  const fields = ofFields(probe.source, { availableFilters: ffmpeg.filters })
  const size = `${fields}scale=w='min(640,iw*sar)':h=-2,setsar=1`
  const run: PlanRun = {
    inputs: [
      {
        from: { kind: 'source' },
        flags: ['-threads', '2'],
        ...(atMs > 0 ? { seekMs: atMs } : {}),
      },
    ],
    args: [
      '-filter_complex',
      `[0:V:0]${size}${ground},format=yuvj420p,split[p][l];[l]scale=1:1:flags=area,format=gray[g]`,
      ...PICTURE,
      picture,
      ...BRIGHTNESS,
      light,
    ],
  }
  const end = await glance(ffmpeg, {
    ...boundedRun(run, probe.source),
    pathOf: (place) => (place.kind === 'output' ? inFolder(place) : path),
    cwd: scratchDir,
    signal,
    maxFileBytes: 8 << 20,
  })
  if (!end.ok) return err({ isDamage: end.error.code === 'media/failed', detail: end.error.detail })
  const made = inFolder(picture)
  if (!(await isNotEmpty(made))) return err({ isDamage: false, detail: 'no frame came out' })
  return ok({ path: made, brightness: (await readFile(inFolder(light)))[0] ?? 0 })
}

async function isNotEmpty(path: string): Promise<boolean> {
  return await stat(path).then(
    (facts) => facts.size > 0,
    () => false,
  )
}
