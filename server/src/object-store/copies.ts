import type { MultipartPlan } from './port.ts'

/**
 * Lends stored files to programs that read them from a path. A store on this machine lends the file
 * itself; one elsewhere has to make a copy first.
 */
export interface Copies {
  /** Whether files are lent as they are: to lend one elsewhere, all of it has to be fetched. */
  readonly isHere: boolean
  /**
   * Calls `work` with a path of the whole object, which holds until `work` ends, and returns what
   * it returns. The file is only read. Rejects with the reason of `signal`.
   */
  use<T>(plan: MultipartPlan, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T>
  /**
   * A path of an unfinished upload, with holes where parts are missing, or null where unfinished
   * bytes cannot be read. Only the parts that `listParts` of the store names are valid.
   */
  unfinishedPath(plan: MultipartPlan): string | null
}

/** Lends several objects at once, in the order given. */
export async function lendAll<T>(
  copies: Pick<Copies, 'use'>,
  plans: readonly MultipartPlan[],
  signal: AbortSignal,
  work: (paths: readonly string[]) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = plans
  if (first === undefined) return await work([])
  return await copies.use(
    first,
    signal,
    async (path) =>
      await lendAll(copies, rest, signal, async (paths) => await work([path, ...paths])),
  )
}
