import { useEffect, useEffectEvent } from 'react'
import { useExcerpts } from './use-excerpts.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { useExcerptOffer } from './use-excerpt-offer.ts'

/** Sends first what the ordered edits of a video on its way show. Renders nothing. */
export function SendOrdered({
  row,
  requests,
}: {
  readonly row: UploadRow
  readonly requests: readonly TaskRequest[]
}) {
  const excerpts = useExcerpts()
  const found = useExcerptOffer(excerpts, row, requests)
  const offer = found?.ok === true ? found.value : null
  const send = useEffectEvent(async () => {
    if (offer === null) return
    const asked = offer.edits.map(({ stretches }) => stretches)
    await excerpts.send(row.id, offer.stretches, asked)
  })
  // New at each render; the key says when it is another one, or another one has gone.
  const key = offer === null ? null : JSON.stringify([row.id, offer.stretches, offer.present])
  useEffect(() => {
    if (key !== null) void send()
  }, [key])
  return null
}
