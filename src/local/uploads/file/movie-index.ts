import type { MovieBytes } from '#checks/movie/movie-bytes.ts'
import { readMovieIndex } from '#checks/movie/movie-index.ts'
import { nextTask } from '#src/lib/next-task.ts'

/** The index of a file on this device, without a long task of the page. */
export async function movieIndexOf(file: MovieBytes): ReturnType<typeof readMovieIndex> {
  return await readMovieIndex(file, nextTask)
}
