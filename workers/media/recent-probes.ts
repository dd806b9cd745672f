import { withLimit } from './limit.ts'
import type { Result } from '#src/lib/result.ts'
import type { ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'

/**
 * The newest verdicts, under way or made: the maker of pictures of the same file need not ask
 * ffprobe again.
 */
export interface RecentProbes {
  keep(
    file: File,
    probing: Promise<Result<ProbeReport, ProbeFailure>>,
  ): Promise<Result<ProbeReport, ProbeFailure>>
  /**
   * Waits for one that is under way. Null when there is none, or it failed or was called off.
   * Rejects at the abort.
   */
  of(
    file: File,
    signal: AbortSignal,
  ): Promise<Extract<Result<ProbeReport, ProbeFailure>, { ok: true }> | null>
}

/** A person looks at one file, or goes to and fro between two. */
const KEPT = 4
/** Beyond every limit of a verdict's own. */
const WAIT_LIMIT_MS = 60_000

export function createRecentProbes(): RecentProbes {
  const kept = new Map<string, Promise<Result<ProbeReport, ProbeFailure>>>()
  return {
    keep: (file, probing) => {
      kept.delete(keyOf(file))
      kept.set(keyOf(file), probing)
      for (const oldest of Array.from(kept.keys()).slice(0, -KEPT)) kept.delete(oldest)
      return probing
    },
    of: async (file, signal) => {
      const found = kept.get(keyOf(file))
      if (found === undefined) return null
      const result = await withLimit(found, WAIT_LIMIT_MS, signal)
      return result.ok ? result : null
    },
  }
}

/**
 * Files that cross into a worker are other objects each time. One that was changed has another
 * time.
 */
function keyOf(file: File): string {
  return JSON.stringify([file.name, file.size, file.lastModified])
}
