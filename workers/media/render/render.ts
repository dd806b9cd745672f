import type { PictureEncoder } from './encode.ts'
import { DecoderFailed, nextInTime } from './frames.ts'
import { passagesOf } from './layout.ts'
import { shareBeforeBlack } from './blend.ts'
import type { Painted, Painter, PictureTime } from './draw.ts'
import type { Drawing } from '#recipes/drawing.ts'
import type { FadedPassage } from '#recipes/faded-passages.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

/** What the pictures of an edit are made by. */
export interface PictureParts {
  /** The pictures of a passage, from its first one on. */
  readonly open: (passage: FadedPassage) => AsyncGenerator<VideoFrame, void, void>
  readonly painter: Painter
  readonly encoder: Pick<PictureEncoder, 'add' | 'finish'>
  readonly signal: AbortSignal
  readonly onProgress: (progress: MakeProgress) => void
}

/**
 * Makes all pictures of an edit in their order. One passage is decoded at a time, and two where one
 * fades into the next.
 */
export async function makeEditPictures(drawing: Drawing, parts: PictureParts): Promise<void> {
  const passages = passagesOf(drawing)
  const all = passages.reduce((sum, { frames, headFrames }) => sum + frames - headFrames, 0)
  const open = new Set<AsyncGenerator<VideoFrame, void, void>>()
  const begin = (passage: FadedPassage): OpenPassage => {
    const pictures = parts.open(passage)
    open.add(pictures)
    return { passage, pictures }
  }
  let place = 0
  try {
    let current: OpenPassage | null = null
    for (const [index, passage] of passages.entries()) {
      const { onProgress } = parts
      const following = passages[index + 1]
      let next: OpenPassage | null = null
      const own: OpenPassage = current ?? begin(passage)
      for (let at = passage.headFrames; at < passage.frames; at += 1) {
        const isInto = passage.end.kind === 'next' && at >= passage.frames - passage.end.frames
        if (isInto && following !== undefined) next ??= begin(following)
        const frame = await paint(own, next, at, { drawing, parts, shown: shownAt(place, drawing) })
        await parts.encoder.add(frame, at === passage.headFrames)
        place += 1
        if (isSecond(place, drawing))
          onProgress({ share: place / all, passage: index + 1, passages: passages.length })
      }
      await close(own, open)
      current = next
    }
    await parts.encoder.finish()
  } finally {
    // Not awaited: one that waits for a read ends when the file is closed.
    for (const pictures of open) void pictures.return().catch(() => undefined)
  }
}

interface OpenPassage {
  readonly passage: FadedPassage
  readonly pictures: AsyncGenerator<VideoFrame, void, void>
}

async function close(
  { pictures }: OpenPassage,
  open: Set<AsyncGenerator<VideoFrame, void, void>>,
): Promise<void> {
  open.delete(pictures)
  await pictures.return()
}

/** One picture of the output. */
async function paint(
  own: OpenPassage,
  next: OpenPassage | null,
  at: number,
  {
    drawing,
    parts,
    shown,
  }: { readonly drawing: Drawing; readonly parts: PictureParts; readonly shown: PictureTime },
): Promise<VideoFrame> {
  const { painter, signal } = parts
  const { frames, headFrames, end } = own.passage
  const picture = await nextPicture(own, signal)
  if (end.kind === 'next' && next !== null) {
    const share = 1 - (at - (frames - end.frames)) / end.frames
    return painter.crossed(picture, await nextPicture(next, signal), share, shown)
  }
  if (end.kind === 'black') {
    const { frameRate } = drawing
    const share = shareBeforeBlack(at - headFrames, frames - headFrames, end.outMs, frameRate)
    if (share < 1) return painter.darkened(picture, share, shown)
  }
  return painter.plain(picture.frame, picture.crop, shown)
}

async function nextPicture(
  { passage, pictures }: OpenPassage,
  signal: AbortSignal,
): Promise<Painted> {
  const step = await nextInTime(pictures, signal)
  if (step.done === true) throw new DecoderFailed('pictures are missing')
  return { frame: step.value, crop: passage.crop }
}

function shownAt(place: number, { frameRate }: Drawing): PictureTime {
  const at = (frame: number): number => Math.round((frame * 1e6) / frameRate.value)
  return { timestamp: at(place), duration: at(place + 1) - at(place) }
}

/** Once for each second of the output, and at its end. */
function isSecond(place: number, { frameRate }: Drawing): boolean {
  return place % Math.max(1, Math.round(frameRate.value)) === 0
}
