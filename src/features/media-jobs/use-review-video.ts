import { useEffect, useEffectEvent, useState } from 'react'
import { API_BASE } from '#src/config/paths.ts'
import { usePreviewSource } from '#src/hooks/previews/use-preview-video.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'

/** Where the pictures of the review come from. */
export interface ReviewVideo {
  readonly address: string
  /**
   * Takes the server's copy where this browser cannot play the file of this device. Changes nothing
   * while the server's is shown: what a network failure says of it says nothing of the file.
   */
  readonly giveUpLocal: () => void
}

/**
 * The video of a review: the file where this device has it and can play it, else the server's small
 * copy.
 */
export function useReviewVideo(taskId: string, uploadRequestId: string | null): ReviewVideo {
  const row = useUploadByRequestId(uploadRequestId) ?? null
  const source = usePreviewSource(row)
  const localId = source.kind === 'video' ? source.video.uploadId : null
  const [local, setLocal] = useState<string | null>(null)
  const [isRefused, setIsRefused] = useState(false)
  // `source` is new at each render; the id says when it is another file.
  const open = useEffectEvent(async () => (source.kind === 'video' ? source.video.open() : null))
  useEffect(() => {
    if (localId === null) return undefined
    let address: string | null = null
    let isGone = false
    void open().then((opened) => {
      if (opened === null || !opened.ok || isGone) return
      address = URL.createObjectURL(opened.value)
      setLocal(address)
    })
    return () => {
      isGone = true
      if (address !== null) URL.revokeObjectURL(address)
      setLocal(null)
    }
  }, [localId])
  return {
    address:
      local === null || isRefused ? `${API_BASE}/v1/media-job-tasks/${taskId}/faces/video` : local,
    giveUpLocal: () => {
      if (local !== null) setIsRefused(true)
    },
  }
}
