import { Film } from 'lucide-react'
import { useUploadPoster } from '#src/hooks/uploads/use-upload.ts'
import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import { useLooks } from '#src/components/pictures/use-looks.ts'

/**
 * The small first picture of an upload, as saved on this device; a film icon where there is none,
 * so that rows keep their shape.
 */
export function UploadPoster({
  uploadId,
  name,
}: {
  readonly uploadId: string
  readonly name: string
}) {
  const looks = useLooks()
  const poster = useUploadPoster(uploadId)
  return (
    <div className="relative grid aspect-video w-16 shrink-0 self-start sm:w-24 place-items-center overflow-hidden rounded-lg bg-surface-sunken text-ink-faint">
      <ListPicture
        picture={poster.kind === 'ready' ? poster.value : null}
        name={name}
        look={looks.ofUpload(uploadId)}
        className="absolute inset-0 size-full object-cover"
        icon={<Film aria-hidden className="size-5" />}
      />
    </div>
  )
}
