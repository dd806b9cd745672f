import { useCapabilities } from './use-capabilities.ts'

/**
 * Where this server's operator takes questions; null where none is set, undefined while it is not
 * known on this device.
 */
export function useSupportMail(): string | null | undefined {
  return useCapabilities().data?.supportMail
}
