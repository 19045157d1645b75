// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1;

import {Authorization} from "authorization.sol";

/// @notice A dollar token that answers as FiatTokenV2_2 does, check by check and reason by reason.
/// @dev The constructor runs all four steps of initialisation, so one transaction deploys a ready token, on which the
/// initialize functions fail as on any initialised one. On code placed without its storage they run as usual.
contract Token is Authorization {
    constructor(
        string memory tokenName,
        string memory tokenSymbol,
        string memory tokenCurrency,
        uint8 tokenDecimals,
        address newMasterMinter,
        address newPauser,
        address newBlacklister,
        address newOwner
    ) {
        initialize(
            tokenName,
            tokenSymbol,
            tokenCurrency,
            tokenDecimals,
            newMasterMinter,
            newPauser,
            newBlacklister,
            newOwner
        );
        initializeV2(tokenName);
        initializeV2_1(newOwner); // nothing can be stranded at an address that is being created
        initializeV2_2(new address[](0), tokenSymbol);
    }

    function initialize(
        string memory tokenName,
        string memory tokenSymbol,
        string memory tokenCurrency,
        uint8 tokenDecimals,
        address newMasterMinter,
        address newPauser,
        address newBlacklister,
        address newOwner
    ) public {
        require(!initialized, "FiatToken: contract is already initialized");
        require(newMasterMinter != address(0), "FiatToken: new masterMinter is the zero address");
        require(newPauser != address(0), "FiatToken: new pauser is the zero address");
        require(newBlacklister != address(0), "FiatToken: new blacklister is the zero address");
        require(newOwner != address(0), "FiatToken: new owner is the zero address");
        name = tokenName;
        symbol = tokenSymbol;
        currency = tokenCurrency;
        decimals = tokenDecimals;
        masterMinter = newMasterMinter;
        pauser = newPauser;
        blacklister = newBlacklister;
        owner = newOwner;
        initialized = true;
    }

    function initializeV2(string memory newName) public {
        require(initialized && initializedVersion == 0);
        name = newName;
        cachedDomainSeparator = domainSeparator();
        initializedVersion = 1;
    }

    /// @notice Sends what is stranded at the token's own address to lostAndFound, then closes that address.
    function initializeV2_1(address lostAndFound) public {
        require(initializedVersion == 1);
        uint256 stranded = balanceOf(address(this));
        if (stranded > 0) {
            move(address(this), lostAndFound, stranded);
        }
        setBlacklisted(address(this));
        initializedVersion = 2;
    }

    /// @notice Moves the listed accounts from the former blacklist into bit 255 of their balance words.
    function initializeV2_2(address[] memory accountsToBlacklist, string memory newSymbol) public {
        require(initializedVersion == 2);
        symbol = newSymbol;
        for (uint256 i = 0; i < accountsToBlacklist.length; i++) {
            address account = accountsToBlacklist[i];
            require(formerBlacklist[account], "FiatTokenV2_2: Blacklisting previously unblacklisted account!");
            setBlacklisted(account);
            formerBlacklist[account] = false;
        }
        setBlacklisted(address(this));
        formerBlacklist[address(this)] = false;
        initializedVersion = 3;
    }
}

/// @notice The token with one rule relaxed: the payee may also capture with a TransferWithAuthorization signature,
/// as procedures that name that primary type for a capture describe it. The real token refuses such a signature.
contract DocumentedFlowToken is Token {
    constructor(
        string memory tokenName,
        string memory tokenSymbol,
        string memory tokenCurrency,
        uint8 tokenDecimals,
        address newMasterMinter,
        address newPauser,
        address newBlacklister,
        address newOwner
    )
        Token(
            tokenName,
            tokenSymbol,
            tokenCurrency,
            tokenDecimals,
            newMasterMinter,
            newPauser,
            newBlacklister,
            newOwner
        )
    {}

    function signedForPayee(Terms memory terms, bytes memory signature) internal view override returns (bool) {
        return super.signedForPayee(terms, signature)
            || signed(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, terms, signature);
    }
}
