/** Asks the browser to keep this device's data. Silent where it cannot or will not; some ask. */
export async function askToPersist(): Promise<void> {
  if ('storage' in navigator && 'persist' in navigator.storage)
    await navigator.storage.persist().catch(() => false)
}
