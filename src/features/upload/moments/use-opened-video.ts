import { useEffect, useEffectEvent, useState } from 'react'
import type { PreviewVideo } from '#src/local/previews/preview.ts'

/** The bytes of a video; null where this device cannot read them (now), or for no video. */
export function useOpenedVideo(video: PreviewVideo | null): File | 'opening' | null {
  const id = video?.uploadId ?? null
  const [opened, setOpened] = useState<{ readonly of: string; readonly file: File | null } | null>(
    null,
  )
  // New at each render; the id says when it is another one.
  const open = useEffectEvent(async () => video?.open())
  useEffect(() => {
    if (id === null) return undefined
    let isLeft = false
    void open().then((result) => {
      if (!isLeft) setOpened({ of: id, file: result?.ok === true ? result.value : null })
    })
    return () => {
      isLeft = true
    }
  }, [id])
  if (id === null) return null
  return opened?.of === id ? opened.file : 'opening'
}
