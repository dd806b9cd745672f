import { isUnfinished } from '#src/local/db/upload-states.ts'
import { matchPath } from 'react-router'
import { faceReviewPattern, flowPatterns, olderFlow, paths } from '#src/config/paths.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * Which upload the floating card shows at an address, or null for none: the newest unfinished one,
 * one that waits in line only when no other is left; else a finished one that was seen running. Not
 * on screens that show it themselves; a finished one not where edits are chosen and behind that
 * either, where 'ready for editing' of another is no help and would only cover what one is busy
 * with.
 */
export function panelUpload(
  rows: readonly UploadRow[],
  pathname: string,
  seenIds: readonly string[],
  dismissedIds: readonly string[],
): UploadRow | null {
  if (pathname === paths.newUpload || isOfOlderFlow(pathname)) return null
  const areAssetsShown = pathname === paths.mediaAssets || pathname === paths.createMediaAsset
  const isShownHere = (row: UploadRow): boolean =>
    row.purpose === 'media-asset'
      ? areAssetsShown
      : row.uploadRequestId !== null && pathname === paths.newMediaJob(row.uploadRequestId)
  const rest = rows.filter((row) => !isShownHere(row) && !dismissedIds.includes(row.id))
  const finished =
    isOrdering(pathname) || isChoosing(pathname)
      ? undefined
      : rest.find((row) => row.state.kind === 'done' && seenIds.includes(row.id))
  return firstInLine(rest.filter((row) => isUnfinished(row.state.kind))) ?? finished ?? null
}

/** The first that does not wait behind another, else the first; null of none. */
export function firstInLine(rows: readonly UploadRow[]): UploadRow | null {
  return rows.find((row) => row.state.kind !== 'queued') ?? rows[0] ?? null
}

/** Whether an address is behind the choice of edits, where the card does not lead back to it. */
export function isOrdering(pathname: string): boolean {
  return (
    matchPath(flowPatterns.mediaJobStatus, pathname) !== null ||
    matchPath(flowPatterns.uploadCheckout, pathname) !== null
  )
}

/** Screens whose button that goes on, and whose player, stay where the card is. */
const CHOOSING = [flowPatterns.newMediaJob, faceReviewPattern]

/** Whether edits or faces are chosen at an address, where a large card would cover the work. */
export function isChoosing(pathname: string): boolean {
  return CHOOSING.some((pattern) => matchPath(pattern, pathname) !== null)
}

/** The older flow names its upload in the query, and shows it itself. */
function isOfOlderFlow(pathname: string): boolean {
  return [olderFlow.select, ...Object.values(olderFlow.options)].some((page) => page === pathname)
}
