import { printedBy } from './run-tool.ts'

/** Which pictures of a video; left out, all of them. */
export interface Which {
  /** From this time on, in seconds. */
  readonly fromS?: number
  /** How many. */
  readonly count?: number
}

/**
 * The pictures of a file as bytes, one after the other, as ffmpeg decodes them; `filter` ends with
 * the format of the bytes, such as `format=gray`. Fails where ffmpeg does.
 */
export async function rawPictures(
  path: string,
  filter: string,
  { fromS, count }: Which = {},
): Promise<Buffer> {
  const { stdout } = await printedBy('ffmpeg', [
    ...'-nostdin -v error'.split(' '),
    ...(fromS === undefined ? [] : ['-ss', String(fromS)]),
    '-i',
    path,
    '-an',
    '-vf',
    filter,
    ...(count === undefined ? [] : ['-frames:v', String(count)]),
    ...'-fps_mode passthrough -f rawvideo -'.split(' '),
  ])
  return stdout
}
