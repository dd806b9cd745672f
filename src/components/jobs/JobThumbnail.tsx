import { Film } from 'lucide-react'
import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import { useLooks } from '#src/components/pictures/use-looks.ts'
import { useJobThumbnail } from '#src/hooks/edits/use-media-job.ts'
import { classNames } from '#src/ui/class-names.ts'

/** The picture of a job's video as kept on this device; a film where there is none. */
export function JobThumbnail({
  mediaJobId,
  name,
  className,
  iconClassName,
}: {
  readonly mediaJobId: string
  readonly name: string
  readonly className: string
  readonly iconClassName: string
}) {
  const thumbnail = useJobThumbnail(mediaJobId)
  const looks = useLooks()
  return (
    <div
      className={classNames(
        'relative grid aspect-video place-items-center overflow-hidden bg-surface-sunken text-ink-faint',
        className,
      )}
    >
      <ListPicture
        picture={thumbnail.kind === 'ready' ? thumbnail.value : null}
        name={name}
        look={looks.ofJob(mediaJobId)}
        className="absolute inset-0 size-full object-cover"
        icon={<Film aria-hidden className={iconClassName} />}
      />
    </div>
  )
}
