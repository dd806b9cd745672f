import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'

/**
 * Where the documents of frames come from: this origin, and the one that the server keeps for them
 * alone. Null while that is not known.
 */
export function useFrameOrigins(): readonly string[] | null {
  const frameOrigin = useCapabilities().data?.frameOrigin
  // Absent from an answer that an older version has kept on this device.
  if (frameOrigin === undefined) return null
  return [window.location.origin, ...(frameOrigin === null ? [] : [frameOrigin])]
}
