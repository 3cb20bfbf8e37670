-- The middleware of the service waits so many milliseconds before each of these reads.
wrk.headers['X-Delay'] = '2'
