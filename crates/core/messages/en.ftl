hint-wait = keys count in a moment
