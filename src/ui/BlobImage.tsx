import { useEffect, useRef, useState } from 'react'

export interface BlobImageProps {
  readonly blob: Blob
  readonly alt: string
  readonly className?: string
  readonly onLoad?: (image: HTMLImageElement) => void
}

/** A picture that is kept on this device. */
export function BlobImage({ blob, alt, className, onLoad }: BlobImageProps) {
  const [address, setAddress] = useState<string | null>(null)
  const image = useRef<HTMLImageElement | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => revokeOnceLoaded(image.current, made)
  }, [blob])
  // Not `ref={image}`: it is null again before the effect ends.
  const keep = (element: HTMLImageElement | null): void => {
    if (element !== null) image.current = element
  }
  return address === null ? null : (
    <img
      ref={keep}
      src={address}
      alt={alt}
      decoding="async"
      className={className}
      onLoad={({ currentTarget }) => onLoad?.(currentTarget)}
    />
  )
}

/** An image loads on when it is removed: without its address the browser logs an error. */
function revokeOnceLoaded(image: HTMLImageElement | null, address: string): void {
  const revoke = (): void => URL.revokeObjectURL(address)
  if (image === null || image.complete) return revoke()
  for (const ended of ['load', 'error']) image.addEventListener(ended, revoke, { once: true })
}
