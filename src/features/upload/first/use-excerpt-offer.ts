import { useQuery } from '@tanstack/react-query'
import { useAccount } from '#src/hooks/local-context.ts'
import { usePresets, type Preset } from '#src/hooks/use-presets.ts'
import { useUploadProgress } from '#src/hooks/use-upload.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isSending } from '#src/local/db/upload-states.ts'
import { excerptNeed, type ExcerptNeed } from '#src/local/edits/excerpt-stretches.ts'
import { editPrice } from '#src/local/edits/price.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import type { Excerpts } from '#src/local/uploads/page/send-excerpt.ts'

/** What can be sent first, so that some edits are made long before their video has arrived. */
export interface ExcerptOffer extends ExcerptNeed {
  readonly sizeBytes: number
}

/** Less is not worth the bytes that are sent twice. */
const WORTH_MS = 3 * 60 * SECOND_MS

/**
 * What of an upload that is on its way can be sent first for these edits. Null where there is
 * nothing, where it would save less than three minutes on this line, and while that is not known.
 */
export function useExcerptOffer(
  excerpts: Excerpts,
  row: UploadRow | null,
  requests: readonly TaskRequest[],
): ExcerptOffer | null {
  const userId = useAccount()?.userId ?? null
  const presets = usePresets().data
  const progress = useUploadProgress(row?.id ?? null)
  const need = row === null || presets === null ? null : needOf(row, requests, presets)
  const weighed = useQuery({
    queryKey: ['excerpt', userId, row?.id ?? null, need?.stretches ?? null],
    enabled: row !== null && need !== null && isSending(row.state.kind),
    staleTime: Infinity,
    queryFn: async () =>
      row === null || need === null ? null : await excerpts.weigh(row.id, need.stretches),
  })
  const sizeBytes = weighed.data ?? null
  if (row === null || need === null || sizeBytes === null) return null
  const safeBytes = Math.max(row.safeBytes, progress?.safeBytes ?? 0)
  const savedBytes = row.file.sizeBytes - safeBytes - sizeBytes
  const isWorth = savedBytes * SECOND_MS > WORTH_MS * (progress?.bytesPerSecond ?? 0)
  return isWorth && (progress?.bytesPerSecond ?? 0) > 0 ? { ...need, sizeBytes } : null
}

function needOf(
  { probe, file, arrivalFindings }: UploadRow,
  requests: readonly TaskRequest[],
  presets: readonly Preset[],
): ExcerptNeed | null {
  const source = sourceProbeOf(probe, file.name, arrivalFindings ?? [])
  const hasFixedPrice = (slug: string): boolean => {
    const preset = presets.find((each) => each.slug === slug)
    return preset !== undefined && editPrice(preset.pricingStrategies, null).kind === 'fixed'
  }
  return source === null ? null : excerptNeed(requests, source, hasFixedPrice)
}
