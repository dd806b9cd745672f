import { CORPUS_RATE, sceneAt, type CorpusVideo } from '#tests/bench/edits/corpus.ts'
import { HEIGHT, readTimeCode, WIDTH } from '#tests/bench/edits/time-code.ts'
import { rawPictures } from './raw-pictures.ts'

/** What an edit of a corpus video shows, told by the bar codes of its frames. */
export interface ShownOfCorpus {
  /** The frame of the source that each frame shows; null where two are mixed. */
  readonly frames: readonly (number | null)[]
  /** Mean brightness of the first frame, 0 to 255. */
  readonly firstBrightness: number
}

/** @param path an edit of the coded video, in its size */
export async function shownOfCorpus(path: string): Promise<ShownOfCorpus> {
  const bytes = await rawPictures(path, 'format=gray')
  const size = WIDTH * HEIGHT
  const pictures = Array.from({ length: Math.floor(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  const first = pictures[0]?.reduce((sum, value) => sum + value, 0) ?? Number.NaN
  return { frames: pictures.map(readTimeCode), firstBrightness: first / size }
}

/** Which shares of these times of a source, 0 to 1, are lively, and black or a title. */
export function sharesOf(
  video: CorpusVideo,
  timesMs: readonly number[],
): { readonly lively: number; readonly bare: number } {
  const kinds = timesMs.map((atMs) => sceneAt(video, atMs).kind)
  const share = (...wanted: readonly string[]): number =>
    kinds.filter((kind) => wanted.includes(kind)).length / Math.max(1, kinds.length)
  return { lively: share('lively'), bare: share('black', 'title') }
}

/** The times of the source, in milliseconds, at which the frames that are not mixed lie. */
export function timesShown({ frames }: Pick<ShownOfCorpus, 'frames'>): readonly number[] {
  return frames.flatMap((frame) => (frame === null ? [] : [(frame / CORPUS_RATE) * 1000 + 1]))
}
