import { useEffect, useState } from 'react'

export interface BlobImageProps {
  readonly blob: Blob
  readonly alt: string
  readonly className?: string
}

/** A picture that is kept on this device. */
export function BlobImage({ blob, alt, className }: BlobImageProps) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address === null ? null : (
    <img src={address} alt={alt} decoding="async" className={className} />
  )
}
