import { useEffect, useState } from 'react'

/**
 * An address of something in memory for `src`; null until it is there. Given back when it is not
 * shown any more.
 */
export function useBlobUrl(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (blob === null) return undefined
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(null)
    }
  }, [blob])
  return address
}
