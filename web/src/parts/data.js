// The data a page was filled with.

/** The data, or a sentence that says why there is none: { data } or { problem }. */
export function readData(format, version) {
    let data;
    try {
        data = JSON.parse(document.getElementById('data').textContent);
    } catch {
        return { problem: 'This page holds no data yet. Tacit fills it when it writes a report.' };
    }
    if (data?.format !== format)
        return { problem: `This page shows data of the format “${format}”, but holds “${data?.format}”.` };
    if (data.version !== version)
        return { problem: `This page shows version ${version} of “${format}”, but holds version ${data.version}.` };
    return { data };
}
