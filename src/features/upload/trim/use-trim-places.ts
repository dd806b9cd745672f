import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAccount } from '#src/hooks/device/local-context.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { readTrimPlaces, type TrimPlaces } from '#src/local/uploads/page/trim.ts'

/** A whole video of this device that can be cut. */
export interface CuttableVideo {
  readonly file: File
  readonly places: TrimPlaces
}

/**
 * Where the video of an upload can be cut; null where it cannot, and until that is known.
 * @param open finds the whole file; null where nothing is to be cut
 */
export function useTrimPlaces(
  uploadId: string,
  open: (() => Promise<File | null>) | null,
): CuttableVideo | null {
  const userId = useAccount()?.userId ?? null
  const read = useQuery({
    queryKey: keyOf(userId, uploadId),
    enabled: open !== null,
    staleTime: Infinity,
    // Nothing of it is plain data that could be compared.
    structuralSharing: false,
    queryFn: async (): Promise<CuttableVideo | null> => {
      const file = (await open?.()) ?? null
      const places = file === null ? null : await readTrimPlaces(file)
      return file !== null && places?.ok === true ? { file, places: places.value } : null
    },
  })
  return open === null ? null : (read.data ?? null)
}

/**
 * Keeps a video for an upload of it while the page lives: of an upload with a trim the device
 * itself may have no more than is sent.
 */
export function useRememberVideo(): (uploadId: string, video: CuttableVideo) => void {
  const queries = useQueryClient()
  const userId = useAccount()?.userId ?? null
  return (uploadId, video) => void queries.setQueryData(keyOf(userId, uploadId), video)
}

function keyOf(userId: string | null, uploadId: string): readonly unknown[] {
  return ['trim-places', userId, uploadId]
}

/** Whether its index may say where it can be cut: other files are not even opened. */
export function mayBeCut(report: ProbeReport | null): boolean {
  return report?.container === 'MP4' || report?.container === 'MOV'
}
