import type { PictureEncoder } from './encode.ts'
import { letGo, pictureInTime } from './frames.ts'
import { framesOf, passagesOf } from './layout.ts'
import { shareBeforeBlack } from './blend.ts'
import { shownAt, type Painted, type Painter, type PictureTime } from './draw.ts'
import type { Drawing } from '#recipes/drawing.ts'
import type { FadedPassage } from '#recipes/faded-passages.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

/** What the pictures of an edit are made by. */
export interface PictureParts {
  /** The pictures of a passage, from its first one on. */
  readonly open: (passage: FadedPassage) => AsyncGenerator<VideoFrame, void, void>
  readonly painter: Painter
  /**
   * What takes the pictures that a passage shows itself; null where they are kept from before.
   * @param place the number of its first one in the edit
   */
  readonly begin: (passage: FadedPassage, place: number) => Promise<PassageEncoder | null>
  readonly signal: AbortSignal
  readonly onProgress: (progress: MakeProgress) => void
}

/** An encoder of its own for each passage: what one passage becomes depends on no other one. */
interface PassageEncoder extends Pick<PictureEncoder, 'add'> {
  /** All of the passage was added. */
  finish(progress: MakeProgress): Promise<void>
  close(): void
}

/**
 * Makes all pictures of an edit in their order, but for passages that are kept. One passage is
 * decoded at a time, and two where one fades into the next.
 */
export async function makeEditPictures(drawing: Drawing, parts: PictureParts): Promise<void> {
  const passages = passagesOf(drawing)
  const open: OpenPassages = new Set()
  let place = 0
  let current: OpenPassage | null = null
  try {
    for (const [index, passage] of passages.entries()) {
      const start = place
      place += passage.frames - passage.headFrames
      const encoder = await parts.begin(passage, start)
      if (encoder === null) {
        if (current !== null) await close(current, open)
        current = null
        continue
      }
      parts.onProgress(standAt(start, index, drawing))
      try {
        const own: OpenPassage = current ?? (await openBehindHead(passage, parts, open))
        current = await makePassage(own, { drawing, parts, open, index, start, encoder })
        await encoder.finish(standAt(place, index, drawing))
      } finally {
        encoder.close()
      }
    }
    parts.onProgress(standAt(place, passages.length - 1, drawing))
  } finally {
    for (const pictures of open) letGo(pictures)
  }
}

interface OpenPassage {
  readonly passage: FadedPassage
  readonly pictures: AsyncGenerator<VideoFrame, void, void>
}
type OpenPassages = Set<OpenPassage['pictures']>

function openPassage(passage: FadedPassage, parts: PictureParts, open: OpenPassages): OpenPassage {
  const pictures = parts.open(passage)
  open.add(pictures)
  return { passage, pictures }
}

/** A passage whose first pictures were shown by the one before, which is kept. */
async function openBehindHead(
  passage: FadedPassage,
  parts: PictureParts,
  open: OpenPassages,
): Promise<OpenPassage> {
  const own = openPassage(passage, parts, open)
  for (let at = 0; at < passage.headFrames; at += 1) await nextPicture(own, parts.signal)
  return own
}

async function close({ pictures }: OpenPassage, open: OpenPassages): Promise<void> {
  open.delete(pictures)
  await pictures.return()
}

/** The pictures that a passage shows itself. @returns the next passage, where it fades into it */
async function makePassage(
  own: OpenPassage,
  work: {
    readonly drawing: Drawing
    readonly parts: PictureParts
    readonly open: OpenPassages
    readonly index: number
    /** The number of its first picture in the edit. */
    readonly start: number
    readonly encoder: PassageEncoder
  },
): Promise<OpenPassage | null> {
  const { drawing, parts, open, index, start, encoder } = work
  const { frames, headFrames, end } = own.passage
  const following = passagesOf(drawing)[index + 1]
  let next: OpenPassage | null = null
  for (let at = headFrames; at < frames; at += 1) {
    const isInto = end.kind === 'next' && at >= frames - end.frames
    if (isInto && following !== undefined) next ??= openPassage(following, parts, open)
    const place = start + at - headFrames
    const frame = await paint(own, next, at, { drawing, parts, shown: shownAt(place, drawing) })
    await encoder.add(frame, at === headFrames)
    if (isSecond(place + 1, drawing)) parts.onProgress(standAt(place + 1, index, drawing))
  }
  await close(own, open)
  return next
}

function standAt(place: number, index: number, drawing: Drawing): MakeProgress {
  return {
    share: place / framesOf(drawing),
    passage: index + 1,
    passages: drawing.passages.length,
  }
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
  return { frame: await pictureInTime(pictures, signal), crop: passage.crop }
}

/** Once for each second of the output. */
function isSecond(place: number, { frameRate }: Drawing): boolean {
  return place % Math.max(1, Math.round(frameRate.value)) === 0
}
