import { ListPicture } from '#src/components/pictures/ListPicture.tsx'
import { useFilmstrip } from './use-filmstrip.ts'

/**
 * Frames from the whole length of an upload's video, as this device made them; nothing while there
 * are none.
 */
export function Filmstrip({ uploadId }: { readonly uploadId: string }) {
  const pictures = useFilmstrip(uploadId)
  if (pictures.length === 0) return null
  return (
    <div
      role="img"
      aria-label={`${pictures.length} frames from the beginning to the end of the video`}
      className="flex h-12 overflow-hidden rounded-control bg-surface-sunken sm:h-16"
    >
      {/* On phones every other frame: twelve would be too narrow. */}
      {pictures.map((picture, index) => (
        <ListPicture
          key={index}
          picture={picture}
          name={`frame ${index + 1}`}
          look={null}
          icon={null}
          className={`h-full min-w-0 flex-1 object-cover ${index % 2 === 1 ? 'hidden sm:block' : ''}`}
        />
      ))}
    </div>
  )
}
