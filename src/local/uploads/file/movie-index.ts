import type { MovieBytes } from '#checks/movie/movie-bytes.ts'
import { readMovieIndex } from '#checks/movie/movie-index.ts'
import { readVideoIndex } from '#checks/movie/video-index.ts'
import { nextTask } from '#src/lib/next-task.ts'

/** The index of an MP4 or MOV on this device, without a long task of the page. */
export async function movieIndexOf(file: MovieBytes): ReturnType<typeof readMovieIndex> {
  return await readMovieIndex(file, nextTask)
}

/** What excerpts of a file on this device are cut by, without a long task of the page. */
export async function videoIndexOf(file: MovieBytes): ReturnType<typeof readVideoIndex> {
  return await readVideoIndex(file, nextTask)
}
