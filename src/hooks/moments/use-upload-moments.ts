import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '#src/api/send.ts'
import type { UploadMoments } from '#src/local/edits/moment-boards.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { failureOf, valueOrThrow } from '#src/hooks/sync/query-client.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'

/** What the server has found in a video, and the picture with its tiles, once it is there. */
export interface MomentsPull {
  readonly pull: Pick<
    Shown<UploadMoments>,
    'data' | 'failure' | 'asOfEpochMs' | 'isFetching' | 'refresh'
  >
  readonly tiles: Blob | null
}

const POLL_MS = 3_000
/** A search that has not ended by then waits for paid edits. */
const POLLS = 20
const LATER_POLL_MS = 15_000

/** What the server is known to have found in an upload, without asking; null for nothing. */
export function useKnownMoments(uploadRequestId: string | null): UploadMoments['moments'] | null {
  const userId = useAccount()?.userId ?? null
  const key = ['upload-moments', userId, uploadRequestId ?? '']
  const data = useQueryClient().getQueryData<UploadMoments>(key)
  return data?.state === 'ready' ? data.moments : null
}

/** Asks the server for the moments of an upload until they are found; null asks for nothing. */
export function useUploadMoments(uploadRequestId: string | null): MomentsPull {
  const { api } = useLocal()
  const account = useAccount()
  const id = uploadRequestId ?? ''
  const of = [account?.userId ?? null, id]
  const isWanted = account !== null && uploadRequestId !== null
  const found = useQuery<UploadMoments>({
    queryKey: ['upload-moments', ...of],
    enabled: isWanted,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.state === 'ready') return false
      return state.dataUpdateCount < POLLS ? POLL_MS : LATER_POLL_MS
    },
    queryFn: async ({ signal }) => {
      const params = { path: { id } }
      return valueOrThrow(
        await send(api.GET('/v1/upload-requests/{id}/moments', { params, signal })),
      ).uploadMoments
    },
  })
  const tiles = useQuery<Blob>({
    queryKey: ['moment-pictures', ...of],
    enabled: isWanted && (found.data?.pictures ?? null) !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const params = { path: { id } }
      const address = '/v1/upload-requests/{id}/moments/pictures'
      return valueOrThrow(await send(api.GET(address, { params, signal, parseAs: 'blob' })))
    },
  })
  return {
    pull: {
      data: found.data ?? null,
      failure: failureOf(found.error),
      asOfEpochMs: found.dataUpdatedAt,
      isFetching: found.isFetching,
      refresh: () => void found.refetch(),
    },
    tiles: tiles.data ?? null,
  }
}
