/** The part of the storages of a browser that the console uses. */
export interface TextStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> {
  /** False for one that ends with the page. */
  isLasting: boolean;
}

/** The storage of the tab, and that of all pages of the service. */
export const tabStorage = storageOf(() => window.sessionStorage);
export const siteStorage = storageOf(() => window.localStorage);

/** Returns a storage of the browser; one of the page where the browser refuses it, as with all cookies blocked. */
function storageOf(open: () => Storage): TextStorage {
  try {
    const storage = open();
    return {
      isLasting: true,
      getItem: (key) => storage.getItem(key),
      setItem: (key, value) => storage.setItem(key, value),
      removeItem: (key) => storage.removeItem(key),
      clear: () => storage.clear(),
    };
  } catch {
    return pageStorage();
  }
}

function pageStorage(): TextStorage {
  const texts = new Map<string, string>();
  return {
    isLasting: false,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
    clear: () => texts.clear(),
  };
}
