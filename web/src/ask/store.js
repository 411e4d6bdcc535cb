// What survives a reload: one entry of this tab's session storage, gone when the tab is closed or the person leaves.
// Where a browser forbids storage (it may, inside a frame), memory has to do.

const key = `tacit ${location.pathname}`;

export function load() {
    try {
        return JSON.parse(sessionStorage.getItem(key));
    } catch {
        return null;
    }
}

export function save(state) {
    try {
        sessionStorage.setItem(key, JSON.stringify(state));
    } catch {
        // The page works on without it; only a reload would start anew.
    }
}

export function erase() {
    try {
        sessionStorage.removeItem(key);
    } catch {
        // Nothing was stored.
    }
}
