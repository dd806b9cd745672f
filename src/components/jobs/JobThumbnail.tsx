import { Film } from 'lucide-react'
import { BlobImage } from '#src/ui/BlobImage.tsx'
import { useJobThumbnail } from '#src/hooks/edits/use-media-job.ts'
import { classNames } from '#src/ui/class-names.ts'

/** The picture of a job's video as kept on this device; a film where there is none. */
export function JobThumbnail({
  mediaJobId,
  className,
  iconClassName,
}: {
  readonly mediaJobId: string
  readonly className: string
  readonly iconClassName: string
}) {
  const thumbnail = useJobThumbnail(mediaJobId)
  return (
    <div
      className={classNames(
        'relative grid aspect-video place-items-center overflow-hidden bg-surface-sunken text-ink-faint',
        className,
      )}
    >
      {thumbnail.kind === 'ready' && thumbnail.value !== null ? (
        <BlobImage
          blob={thumbnail.value}
          alt=""
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <Film aria-hidden className={iconClassName} />
      )}
    </div>
  )
}
