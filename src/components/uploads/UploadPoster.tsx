import { Film } from 'lucide-react'
import { useUploadPoster } from '#src/hooks/uploads/use-upload.ts'
import { BlobImage } from '#src/ui/BlobImage.tsx'

/**
 * The small first picture of an upload, as saved on this device; a film icon where there is none,
 * so that rows keep their shape.
 */
export function UploadPoster({ uploadId }: { readonly uploadId: string }) {
  const poster = useUploadPoster(uploadId)
  return (
    <div className="relative grid aspect-video w-16 shrink-0 self-start sm:w-24 place-items-center overflow-hidden rounded-lg bg-surface-sunken text-ink-faint">
      {poster.kind === 'ready' && poster.value !== null ? (
        <BlobImage blob={poster.value} alt="" className="absolute inset-0 size-full object-cover" />
      ) : (
        <Film aria-hidden className="size-5" />
      )}
    </div>
  )
}
